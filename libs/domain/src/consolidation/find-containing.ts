import { findInventedFacts, findLostFacts, listFacts } from '../meaning/kept-facts.js';
import { DATE_SIGN, listCanonicalWords, NAME_SIGN } from './canonical-words.js';
import { isLimiting } from './qualifiers.js';

/** Words without which a statement means the same. */
const FILLERS = new Set(
  'a an the really very quite also currently now still too actually simply definitely'.split(' '),
);
/** A figure, a time or a date: "7:30", "2 times", "/week", "@Mon". */
const VALUE = /^[@/#\d-]/u;
const EXACT = /^[@/#\d^-]/u;
const ARTICLE = /^(?:an?|the|\d+)$/u;
/**
 * Phrases that add to a statement that is complete without them, by their first word: what may follow it. Others say
 * which of several is meant, or how far it holds: "a doctor of philosophy", "rent for a storage room".
 */
const PHRASES: Readonly<Record<string, (next: string, before: string, short: readonly string[]) => boolean>> = {
  with: (_next, _before, short) => short.length > MIN_WORDS_WITH_OBJECT,
  named: isName,
  called: isName,
  about: (_next, _before, short) => short.some((word) => /^an?$/u.test(word)),
  near: () => true,
  by: isName,
  in: (next, before) => VALUE.test(next) || (isName(next) && !isName(before)),
  at: (next) => EXACT.test(next) || ARTICLE.test(next) || next === 'work',
  on: (next) => EXACT.test(next) || ARTICLE.test(next) || /^(?:long|short|weekdays|weekends)$/u.test(next),
  from: (next) => EXACT.test(next) || ARTICLE.test(next),
  as: (next, _before, short) => ARTICLE.test(next) && short.some((word) => /^work(?:s|ed)?$/u.test(word)),
  since: (next) => VALUE.test(next),
  of: (next) => VALUE.test(next),
  for: (next) => VALUE.test(next),
  every: () => true,
  each: () => true,
  per: () => true,
};
const PART_OF_DAY = /^(?:morning|afternoon|evening|night)s?$/u;
/** Adjectives with which a thing is still what it is; not "rented", "toy", "water". */
const ADJECTIVE =
  /^(?:small|big|large|little|tiny|huge|tall|short|long|wide|old|young|new|red|green|blue|black|white|brown|grey|gray|yellow|orange|purple|pink|silver|dark|light|beautiful|nice|lovely|cosy|quiet|sunny|heavy|round|wooden|modern|bright)$/u;
/** "Prefers Linux for servers and macOS for laptops" prefers neither everywhere. */
const DIVIDED = /\b(?:and|or)\b/u;
/** "Sleeps with the light on" is not how somebody always sleeps. */
const MIN_WORDS_WITH_OBJECT = 3;
/** What somebody is, they are everywhere and always. */
const IS = /^(?:is|are|am)$/u;
const ADDS_TO_STATE = /^(?:since|named|called|\/.+)$/u;
/** What can be done with help cannot be done without it. */
const ABILITY = /^(?:can|could|able|would|should|must|needs?|wants?)$/u;
/** Subject and verb stay as they are. */
const MIN_COMMON_START = 2;
const MAX_PHRASE_WORDS = 5;

/**
 * Of two statements the one that says all that the other one says, in the same words, and adds to it ("works at
 * Siemens", "works at Siemens as a team lead"), or the longer one of two with the same words; null when neither surely
 * does. Precision first: without a model this alone merges memories
 * (docs/reference/consolidation.md#without-a-model). English.
 */
export function findContaining(a: string, b: string): string | null {
  return contains(a, b) ? a : contains(b, a) ? b : null;
}

function contains(long: string, short: string): boolean {
  if (findLostFacts([short], long).length > 0 || addsNegation(long, short) || splitsName(long, short)) return false;
  const additions = alignWords(listCanonicalWords(short), listCanonicalWords(long));
  return additions !== null && !isLimiting(additions) && !DIVIDED.test(additions.join(' '));
}

function addsNegation(long: string, short: string): boolean {
  return findInventedFacts([short], long).some(({ kind }) => kind === 'negation');
}

const NAME = /\p{Lu}[\p{L}\d’'-]*(?: (?:(?:de|van|von|of) )?\p{Lu}[\p{L}\d’'-]*)+/gu;

/** Whether a name of `short` is only a part of a longer one of `long`: "York" of "New York". */
export function splitsName(long: string, short: string): boolean {
  const names = new Set(listFacts(short).flatMap(({ kind, text }) => (kind === 'name' ? [text] : [])));
  return [...long.matchAll(NAME)].some(
    ([name]) => !short.includes(name) && name.split(' ').some((word) => names.has(word)),
  );
}

function isName(word: string): boolean {
  return word.startsWith(NAME_SIGN);
}

/** The words that `long` adds to `short`; null when it changes more than that. */
function alignWords(short: readonly string[], long: readonly string[]): string[] | null {
  const expected = short.filter((word) => !FILLERS.has(word));
  const additions: string[] = [];
  let next = 0;
  for (let at = 0; at < long.length; at += 1) {
    if (long[at] === expected[next]) next += 1;
    else if (!FILLERS.has(long[at]!)) {
      const end = next < MIN_COMMON_START ? null : findAdditionEnd(long, at, expected[next], short);
      if (end === null) return null;
      additions.push(...long.slice(at, end));
      at = end - 1;
    }
  }
  return next === expected.length && mayAdd(short, additions) ? additions : null;
}

function mayAdd(short: readonly string[], additions: readonly string[]): boolean {
  const [first] = additions;
  if (first === undefined) return true;
  if (short.some((word) => ABILITY.test(word))) return false;
  // "Weighs 80 kg", "weighs 80 kg with the suit on".
  if (VALUE.test(short.at(-1)!) && !short.at(-1)!.startsWith(DATE_SIGN) && !VALUE.test(first)) return false;
  const isState = short.some((word, at) => IS.test(word) && !(short[at + 1] ?? '').endsWith('ing'));
  return !isState || ADDS_TO_STATE.test(first);
}

/** Where added words end: at the end, before the next phrase, or before the noun that they describe. */
function findAdditionEnd(
  long: readonly string[],
  at: number,
  expected: string | undefined,
  short: readonly string[],
): number | null {
  const isPhrase = beginsPhrase(long, at, short);
  if (expected === undefined) return isPhrase ? long.length : null;
  const end = long.indexOf(expected, at);
  if (end < 0) return null;
  const isFollowedByPhrase = expected in PHRASES || VALUE.test(expected);
  if (isPhrase && isFollowedByPhrase && end - at <= MAX_PHRASE_WORDS) return end;
  const isDescribed = ARTICLE.test(long[at - 1]!) && long.slice(at, end).every((word) => ADJECTIVE.test(word));
  return isDescribed ? end : null;
}

function beginsPhrase(long: readonly string[], at: number, short: readonly string[]): boolean {
  const word = long[at]!;
  return (
    VALUE.test(word) || PART_OF_DAY.test(word) || (PHRASES[word]?.(long[at + 1] ?? '', long[at - 1]!, short) ?? false)
  );
}
