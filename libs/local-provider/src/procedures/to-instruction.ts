import { PAST_FORMS, UNCHANGED_PAST_FORMS } from '@annals/english';
import nlp from 'compromise/two';

/** Irregular past forms, and those that are no action: what somebody was, knew or felt. */
const NO_ACTION = new Set(
  (
    'was were had did got came went felt knew thought meant understood found saw heard learned learnt became forgot told ' +
    'said noticed realised realized wanted hoped believed considered decided expected assumed needed failed tried ' +
    'attempted skipped planned proposed suggested recommended explained promised mentioned asked received finished ' +
    'completed managed seemed happened required remained stayed liked loved preferred guessed discussed offered based ' +
    'given provided regarding indeed seed speed need feed'
  ).split(' '),
);
/** Of these, the form alone does not tell the past: "Set the flag" is an instruction already. */
const UNCHANGED: ReadonlySet<string> = new Set(UNCHANGED_PAST_FORMS);
const IRREGULAR: ReadonlySet<string> = new Set(PAST_FORMS);
const REGULAR = /^\p{L}{2,}ed$/u;
const GERUND = /[aeiouy].*ing$/iu;
/** "The branch was opened" is no instruction. */
const NO_VERB =
  /^(?:the|a|an|i|we|you|he|she|it|they|this|that|there|these|those|my|our|your|his|her|its|their|is|was|are|were|has|had|have|will|would|should|could|do not|never|ignore|disregard)$/iu;
/** Whose base the library does not know. */
const BASES: ReadonlyMap<string, string> = new Map([
  ['cached', 'cache'],
  ['enrolled', 'enroll'],
  ['programmed', 'program'],
]);
/** "Re-ran" and "reran" are forms of "ran". */
const AGAIN = /^re-?/u;

/** A past form of a verb of action. `withSubject`: it follows "I" or "we", so that "set" is in the past too. */
export function isPastAction(word: string, { withSubject }: { readonly withSubject: boolean }): boolean {
  const form = word.toLowerCase();
  const base = form.replace(AGAIN, '');
  if (NO_ACTION.has(form)) return false;
  if (UNCHANGED.has(form) || UNCHANGED.has(base)) return withSubject;
  return IRREGULAR.has(form) || IRREGULAR.has(base) || REGULAR.test(form.split('-').at(-1)!);
}

interface VerbTransform {
  toInfinitive(form: string, model: unknown, tense: 'PastTense'): string;
}
// The library's types leave out its parts, which apply to single words.
const { transform } = (nlp as unknown as { methods(): { two: { transform: { verb: VerbTransform } } } }).methods().two;
const model: unknown = (nlp as unknown as { model(): unknown }).model();

/** "opened the release branch" as an instruction: "open the release branch". The first word is a past form. */
export function toInstruction(said: string): string {
  const [verb = ''] = said.split(/\s/u);
  const form = verb.toLowerCase();
  return findBase(form) + said.slice(verb.length);
}

function findBase(form: string): string {
  if (UNCHANGED.has(form)) return form;
  const known = BASES.get(form);
  if (known !== undefined) return known;
  const again = AGAIN.exec(form)?.[0] ?? '';
  const once = form.slice(again.length);
  // "Reran" is unknown to the library, "ran" is not.
  return IRREGULAR.has(once) && !IRREGULAR.has(form)
    ? again + transform.verb.toInfinitive(once, model, 'PastTense')
    : transform.verb.toInfinitive(form, model, 'PastTense');
}

/** Whether an instruction begins with the base form of a verb, as far as its form tells: "Opened the branch" does not. */
export function isWorkInstruction(text: string): boolean {
  const [first = ''] = text.split(/[\s.,;:]/u);
  return first !== '' && !NO_VERB.test(first) && !isPastAction(first, { withSubject: false }) && !GERUND.test(first);
}
