import { splitSentences } from '@annals/english';
import type { SubjectName } from '@annals/llm-core';
import { parseClause } from '../clauses/read-subject.js';
import { addressesListener, hasDanglingReference, isOnlyPlaceholder, isWellFormed } from '../compose/check-content.js';
import { capitalize, isAdverb, tagPredicate, toThirdPerson } from '../person/to-third-person.js';
import { isPast } from '../person/verbs.js';
import { shortenText } from '../procedures/list-sentences.js';
import { isForeignText, isQuestion, isSupposed, isUncertain, MAX_SENTENCE_LENGTH } from '../sentences/skip-sentence.js';
import { expandContractions, trimSentence } from '../sentences/trim-sentence.js';

/** What a sentence of a conversation says about its course. */
export interface Outcome {
  /** `done`: by the assistant. `solved`: what helped or did not. `problem`: what did not work. `stated`: of the user. `asked`: of the assistant. */
  readonly kind: 'done' | 'decided' | 'solved' | 'problem' | 'stated' | 'asked';
  /** A whole sentence in the third person. */
  readonly sentence: string;
  /** As it was said. */
  readonly quote: string;
}

/** A sentence as it was said, and without its greetings, contractions and final marks. */
interface Said {
  readonly quote: string;
  readonly statement: string;
}

const DONE =
  /^I (?:have )?(?:just |now |already |also |successfully )*(?<action>(?:added|adjusted|archived|assigned|backed up|blocked|booked|bought|cancelled|canceled|changed|closed|configured|copied|created|deleted|deployed|disabled|emailed|enabled|exported|filed|fixed|imported|installed|invited|merged|moved|muted|opened|ordered|paid|paused|posted|printed|published|registered|removed|renamed|renewed|rescheduled|reserved|reset|restarted|restored|resumed|reverted|rotated|saved|scheduled|sent|set|shared|signed|started|stopped|submitted|subscribed|switched|synced|transferred|turned|unblocked|unsubscribed|updated|upgraded|uploaded)(?! (?:you|me)\b) .+)$/u;
const DECIDED =
  /^(?:(?:I|we) (?:have )?(?:now |finally |just )?(?<verb>decided|agreed|settled|opted|chose|picked) (?<what>.+)|(?:let's|let us) (?:go with|use|take the) (?<option>.+)|(?:I|we) will (?:go with|take) (?<taken>.+))$/iu;
const SOLVED =
  /(?:^|\b)(?<by>.+?) (?:has |have )?(?:fixed|solved|resolved|cured|sorted|did the trick|did it|helped|worked|(?:did|has|have|does|do) not (?:fix(?:ed)?|solved?|resolved?|help(?:ed)?|work(?:ed)?))(?: (?:it|that|this|the (?:problem|issue|error|bug)|everything))?(?: (?:now|at last|for good|out|perfectly))?$/iu;
const PROBLEM =
  /^(?:the|my|our) (?:\p{L}[\p{L}\d'-]* ){0,4}?(?:\p{L}[\p{L}\d'-]*) (?:(?:still |always |again |often )?(?:fails?|crash(?:es|ed)?|hangs?|freezes|froze|broke|leaks|is (?:broken|down|stuck|slow|locked))|(?:can ?not|does not|do not|will not) (?:\p{L}+ ?){1,3})\b.*$/iu;
const ASKED =
  /^(?:please |(?:can|could|would|will) you (?:please )?|I (?:need|want|would like) you to )(?<task>\p{L}+ .+)$|^(?<bare>(?:write|draft|book|order|plan|prepare|schedule|create|cancel|add|remind|move|set|send|find|reserve|compare|translate|design|organise|organize|deploy|install|update|fix|rename|transfer|rotate) .+)$/iu;
/** Of no use later: how the conversation went, what was thought in it. */
const PASSING =
  /^I (?:\p{L}+ly )?(?:am (?:back|here|done|fine|good|sure|sorry|not sure|ready|asking|wondering|thinking|talking|looking|trying)|see|know|mean|guess|think|thought|agree|understand|hope|wonder|suppose|believe|forgot|remember|said|asked|told|have (?:a|another|one|some) (?:\p{L}+ )?questions?|need|would|could|should|can|will|may|might|was (?:just )?(?:wondering|thinking|joking)|get|love it|can not wait|do not (?:know|think|understand|mind|care|see|remember|get)|did not (?:know|mean|understand|get|see)|feel like|just want|see what)\b/iu;
/** Nothing comes of these but words. */
const NO_TASK =
  /^(?:tell|explain|say|repeat|summari[sz]e|imagine|pretend|play|help|be|stop|answer|know|keep|remember|note|turn on|go|try)\b/iu;
const CALLED_OFF =
  /\b(?:cancel|undo|revert|forget|drop|scratch|stop|leave) (?:that|it|this)\b|\bnever ?mind\b|^(?:no,? wait|no,? do not|on second thou?ghts?)\b/iu;
/** "I report to Ivana" says something, "I agree" does not. */
const MIN_PREDICATE_WORDS = 3;
/** In UTF-16 units: of a long answer, the beginning and the end report what was done. */
const MAX_READ_UNITS = 4_000;
const MAX_SENTENCES = 60;
const LETTER = /\p{L}/u;
const SPEAKER = /(?<![\p{L}\d'’-])(?:I|me|my|mine|we|us|our|you|your)(?![\p{L}\d'’-])/iu;

/** Whether the user takes back what was just asked for or done. */
export function isCalledOff(parts: readonly string[]): boolean {
  return parts.some((part) => CALLED_OFF.test(expandContractions(part).trim()));
}

/** What the assistant reports to have done. */
export function readDone(content: string): Outcome[] {
  return listStatements([content]).flatMap(({ quote, statement }) => {
    const action = DONE.exec(statement)?.groups?.['action'];
    if (action === undefined) return [];
    const sentence = `The assistant ${action.replace(/\byour\b/giu, 'the user’s')}.`;
    return isTellable(sentence) ? [{ kind: 'done', sentence, quote }] : [];
  });
}

/** What the user decided, what did not work, what solved it, and what was asked for; one outcome a sentence. */
export function readOutcomes(parts: readonly string[], name: SubjectName): Outcome[] {
  return listStatements(parts).flatMap(({ quote, statement }) => {
    const outcome = readStatement(statement, name);
    return outcome && isTellable(outcome.sentence) ? [{ ...outcome, quote }] : [];
  });
}

function readStatement(statement: string, name: SubjectName): Omit<Outcome, 'quote'> | null {
  if (isSupposed(statement) || (isUncertain(statement) && !DECIDED.test(statement))) return null;
  const decided = DECIDED.exec(statement)?.groups;
  if (decided) return readDecision(decided, name);
  if (SOLVED.test(statement)) return { kind: 'solved', sentence: tell(statement, name) };
  if (PROBLEM.test(statement)) return { kind: 'problem', sentence: tell(statement, name) };
  if (/^(?:I|my) /iu.test(statement) && !PASSING.test(statement)) return readPlainStatement(statement, name);
  const { task, bare } = ASKED.exec(statement)?.groups ?? {};
  const asked = task ?? bare;
  if (asked === undefined || NO_TASK.test(asked)) return null;
  return {
    kind: 'asked',
    sentence: `${name.initial} asked the assistant to ${replaceSpeaker(lowerFirst(asked), name)}.`,
  };
}

/** What the rules of extraction have no category for: "I report to Ivana". */
function readPlainStatement(statement: string, name: SubjectName): Omit<Outcome, 'quote'> | null {
  const clause = parseClause(capitalize(statement), {});
  if (!clause || addressesListener(statement) || isOnlyPlaceholder(statement)) return null;
  const words = tagPredicate(clause.predicate);
  if (words.length < MIN_PREDICATE_WORDS || hasDanglingReference(words, clause.kind === 'own')) return null;
  return { kind: 'stated', sentence: tell(statement, name) };
}

function readDecision(
  { verb, what, option, taken }: Record<string, string | undefined>,
  name: SubjectName,
): Omit<Outcome, 'quote'> | null {
  const decision = verb === undefined ? `decided on ${option ?? taken}` : `${verb.toLowerCase()} ${what}`;
  if (hasDanglingReference(tagPredicate(decision), false)) return null;
  return { kind: 'decided', sentence: `${name.initial} ${replaceSpeaker(decision, name)}.` };
}

/** The sentence as somebody else would say it. */
function tell(statement: string, name: SubjectName): string {
  const clause = /^(?:I|my|we)\b/iu.test(statement) ? parseClause(capitalize(statement), {}) : undefined;
  if (!clause) return `${capitalize(replaceSpeaker(statement, name)).replace(/\bcan not\b/gu, 'cannot')}.`;
  const words = tagPredicate(clause.predicate);
  const told = toThirdPerson(clause, words, name, isPast(clause.predicate, words, isAdverb));
  return `${capitalize(told).replace(/\bcan not\b/gu, 'cannot')}.`;
}

function replaceSpeaker(text: string, { inner, possessive }: SubjectName): string {
  return text
    .replace(/(?<![\p{L}\d'’-])(?:my|our)(?![\p{L}\d'’-])/giu, possessive)
    .replace(/(?<![\p{L}\d'’-])(?:me|us)(?![\p{L}\d'’-])/gu, inner);
}

function listStatements(parts: readonly string[]): Said[] {
  return splitSentences(shortenText(parts.join('\n'), MAX_READ_UNITS))
    .slice(-MAX_SENTENCES)
    .filter((quote) => LETTER.test(quote))
    .filter((quote) => quote.length <= MAX_SENTENCE_LENGTH && !isForeignText(quote))
    .filter((quote) => !isQuestion(quote) || /^(?:can|could|would|will) you\b/iu.test(quote))
    .map((quote) => ({ quote, statement: trimSentence(expandContractions(quote)) }))
    .filter(({ statement }) => statement !== '');
}

function isTellable(sentence: string): boolean {
  return isWellFormed(sentence) && !SPEAKER.test(sentence);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
