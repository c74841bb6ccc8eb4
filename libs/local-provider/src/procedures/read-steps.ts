import { splitClauses, splitSentences } from '@annals/english';
import { isAboutWork, readAgentOutcome } from './read-outcome.js';
import { isPastAction, toInstruction } from './to-instruction.js';

/** What a sentence of an agent tells of its work, in order. `quote` is a piece of the message. */
export type WorkEvent =
  | { readonly kind: 'step'; readonly instruction: string; readonly quote: string }
  | { readonly kind: 'undone' | 'failure' | 'unfinished' };

const LIST_MARK = /^\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+|step \d{1,2}\s*[:.)-]\s*)?(?:(?:[✅☑✔]\uFE0F?|\[[xX✓]\])\s*)?/u;
const IS_LISTED = /^\s*(?:[-*•–]\s|\(?\d{1,2}[.)]\s|step \d)/iu;
/** Above a list of what was done: its items may be instructions. */
const REPORT_HEADING =
  /^(?:(?:all )?(?:done|completed|finished)|(?:done|completed|finished) (?:all )?(?:the following|these)(?: (?:steps|tasks))?)[.!]?:$|\b(?:what (?:I|we)(?:['’]ve| have)? (?:did|done)|(?:steps?|actions?|things) (?:that )?(?:(?:I|we)(?:['’]ve| have)? (?:took|taken|did|done|completed|carried out)|taken|completed|done|carried out)|(?:I|we)(?:['’]ve| have)? (?:completed|carried out|done|did|took|finished) (?:all )?(?:the following|these|the)(?: steps)?)\b.*:$/iu;
const LEAD =
  '(?:(?:and|so|ok(?:ay)?|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|then|now|also|finally|lastly|afterwards?|after that|once that was done|as a (?:first|next|last|final) step),?\\s+)*';
const ADVERBS =
  '(?:(?:also|then|just|next|first|finally|already|now|successfully|manually|carefully|quickly|afterwards)\\s+)*';
const WORD = '(?<verb>\\p{L}+(?:-\\p{L}+)?)(?=\\s)';
const OWN = new RegExp(`^${LEAD}(?:I|[Ww]e)(?:['’]ve| have)?\\s+${ADVERBS}${WORD}(?<rest>.*)$`, 'iu');
const ELIDED = new RegExp(`^${LEAD}${ADVERBS}${WORD}(?<rest>.*)$`, 'iu');
/** Between two actions: ", then ran", " and tagged", "; finally we published". */
const JOINT = new RegExp(
  `(?:,\\s+(?:and\\s+)?|;\\s+(?:and\\s+)?|\\s+and\\s+)(?:(?:then|also|finally|afterwards|lastly|after that)\\s+)?(?:(?:I|we)(?:['’]ve| have)?\\s+)?${ADVERBS}(?=${WORD})`,
  'giu',
);
/** Reasons, results and remarks behind an action are no part of the instruction. */
const REMARK =
  /,?\s+(?:because|since (?:it|they|the|he|she|we|there)|so that|so (?:it|they|the)|as (?:it|they|the) (?:was|were|is|are)|which|who)\b.*$|,\s+(?:as|so|but|where|while|making|resulting|causing|leaving)\b.*$|\s+[–—-]\s+.*$/iu;
/** What was done another time, usually, or perhaps. */
const ELSEWHEN =
  /\b(?:yesterday|last (?:week|month|night|time|year|quarter|sprint|spring|summer|autumn|fall|winter|mon|tues?|wednes|thurs?|fri|satur|sun)\w*|earlier (?:this|in)|previously|ago|back then|in (?:19|20)\d\d|usually|normally|typically|generally|often|always|sometimes|every time|in the past|would|could|should|might|if|will|going to|never|not|hardly|almost|nearly|imagine)\b|n['’]t\b|['’]ll\b|['’]d\b/iu;
/** "Cached and uncached pages" are one thing. */
const MAX_SENTENCE = 400;
const ENDS_IN_PARTICIPLE = /\b\p{L}+ed$/iu;
const HAS_PRONOUN_SUBJECT = /^(?:you|he|she|they|it|this|that|there|the|a|an|my|your|his|her|their|our)\b/iu;

/** The work that an agent reports in what it says itself (`readOwnWords`): the events of one sentence after the other. */
export function* readWork(parts: readonly string[]): Generator<readonly WorkEvent[], void> {
  if (!isAboutWork(parts)) return;
  let heading: 'none' | 'report' | 'other' = 'none';
  for (const sentence of parts.flatMap((part) => splitSentences(part))) {
    if (sentence.endsWith(':')) {
      heading = REPORT_HEADING.test(sentence) ? 'report' : 'other';
      yield [];
      continue;
    }
    const isListed = IS_LISTED.test(sentence);
    if (!isListed) heading = 'none';
    const outcome = readAgentOutcome(sentence);
    if (outcome) yield [{ kind: outcome }];
    // The items of another list ("Version 3:") are what it is about.
    else yield heading === 'other' ? [] : readSentence(sentence, heading === 'report');
  }
}

function readSentence(sentence: string, isReport: boolean): WorkEvent[] {
  const text = sentence.replace(LIST_MARK, '').trim();
  if (text.length > MAX_SENTENCE || text.endsWith('?') || ELSEWHEN.test(text)) return [];
  const clauses = splitClauses(text, 'statement').map((clause) => clause.trim());
  const steps = clauses.flatMap((clause, index) => readClause(clause, { isFirst: index === 0 }));
  if (steps.length > 0 || !isReport || HAS_PRONOUN_SUBJECT.test(text)) return steps;
  return [{ kind: 'step', instruction: trimStep(text), quote: text }];
}

/** The actions of one clause: "I opened the branch, then ran the tests". */
function readClause(clause: string, { isFirst }: { readonly isFirst: boolean }): WorkEvent[] {
  const own = OWN.exec(clause)?.groups;
  const { verb, rest } = own ?? (isFirst ? ELIDED.exec(clause)?.groups : undefined) ?? {};
  if (verb === undefined || rest === undefined) return [];
  if (!isPastAction(verb, { withSubject: own !== undefined })) return [];
  return splitActions(`${verb}${rest}`).map((action) => ({
    kind: 'step',
    instruction: trimStep(toInstruction(action)),
    quote: action.replace(/[\s.!;,]+$/u, ''),
  }));
}

function splitActions(text: string): string[] {
  const actions: string[] = [];
  let start = 0;
  for (const match of text.matchAll(JOINT)) {
    const before = text.slice(start, match.index);
    if (!isPastAction(match.groups!['verb']!, { withSubject: false }) || ENDS_IN_PARTICIPLE.test(before)) continue;
    actions.push(before);
    start = match.index + match[0].length;
  }
  return [...actions, text.slice(start)];
}

function trimStep(text: string): string {
  return text.replace(REMARK, '').replace(/[\s.!;,:]+$/u, '');
}
