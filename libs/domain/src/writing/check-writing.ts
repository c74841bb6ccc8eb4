import type { MemoryType } from '@annals/contracts';
import { isPastTense, splitSentences } from '@annals/english';
import { normalizeContent } from '../hash/content-hash.js';

/** In characters and sentences (docs/reference/writing-constraints.md#length-limits). */
export const MAX_STATEMENT_LENGTH = 280;
export const MAX_STATEMENT_SENTENCES = 2;

/** In the order of reports (docs/reference/writing-constraints.md#rules-that-are-checked). */
const WRITING_RULES = [
  'empty',
  'too_long',
  'too_many_sentences',
  'not_third_person',
  'pronoun_for_user',
  'not_self_contained',
  'not_past_tense',
] as const;
export type WritingRule = (typeof WRITING_RULES)[number];

const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Begins with a reference that only an earlier sentence could explain. */
const POINTING_START =
  /^(?:it|its|this|that|these|those|he|she|they|his|her|their|him|them|so|then|also|because|but|and)(?![\p{L}\p{N}-])/iu;
/** Meaningless without the time of the message (docs/reference/truth-and-time.md#relative-dates-are-resolved). */
const FLOATING_TIME =
  /(?<![\p{L}\p{N}-])(?:today|tonight|yesterday|tomorrow|(?:last|next|this) (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\d+ (?:days?|weeks?|months?|years?) ago|the other day)(?![\p{L}\p{N}-])/iu;

export interface CheckedStatement {
  readonly content: string;
  readonly type: MemoryType;
}

/**
 * The rules that a statement violates; empty when it can be stored unchanged
 * (docs/reference/writing-constraints.md#rules-that-are-checked). A rule that cannot be checked in a language does not
 * apply: a false positive costs a model call, and in the end a memory.
 */
export function checkWriting({ content, type }: CheckedStatement): WritingRule[] {
  if (!HAS_LETTER_OR_DIGIT.test(normalizeContent(content))) return ['empty'];
  const unquoted = removeQuotes(content);
  const checks: Record<Exclude<WritingRule, 'empty'>, boolean> = {
    too_long: countCharacters(content) > MAX_STATEMENT_LENGTH,
    too_many_sentences: splitSentences(unquoted).length > MAX_STATEMENT_SENTENCES,
    not_third_person: hasFirstOrSecondPerson(unquoted),
    pronoun_for_user: hasPronounForUser(unquoted),
    not_self_contained: POINTING_START.test(unquoted.trimStart()) || FLOATING_TIME.test(unquoted),
    not_past_tense: type === 'episodic' && !isPastTense(unquoted),
  };
  return WRITING_RULES.filter((rule) => rule !== 'empty' && checks[rule]);
}

/** Characters, not UTF-16 units: an emoji is one. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

/** First- and second-person words; capital letters inside a sentence belong to names ("Mine Street", "the US"). */
const WORDS =
  "me|my|mine|myself|we|we['’](?:re|ve|d|ll)|us|our|ours|ourselves|you|your|yours|yourself|you['’](?:re|ve|d|ll)|" +
  // Of other languages, words that do not exist in English.
  'ich|mich|mein(?:e[mnrs]?)?|wir|uns|je|yo|nosotr[ao]s';
const START = String.raw`(?<=^|[.!?…]["'”’)]?\s+)`;
const ALONE = String.raw`(?<![\p{L}\p{N}'’.@/-])`;
const END = String.raw`(?![\p{L}\p{N}@/-])(?!\.\p{L})`;
const SPEAKING = new RegExp(
  `${ALONE}(?:I|I['’](?:m|ve|d|ll)|${WORDS})${END}|${START}(?:${WORDS.replace(/(?<=^|\|)\p{L}/gu, (letter) => letter.toUpperCase())})${END}`,
  'u',
);
const QUOTED = /[“"«„][^”"»“]*[”"»“]/gu;

/** The memory without its quotes, which are other people's words. */
function removeQuotes(content: string): string {
  return content.replace(QUOTED, '“”');
}

function hasFirstOrSecondPerson(content: string): boolean {
  return SPEAKING.test(content);
}

const PRONOUN = /(?<![\p{L}\p{N}'’-])(?:he|she|him|her|hers|his|they|them|their|theirs)(?![\p{L}\p{N}-])/giu;
/** Persons, besides the user, that a pronoun may refer to. */
const SOMEBODY =
  /(?<![\p{L}\p{N}])(?:mother|father|mom|mum|dad|parents?|sisters?|brothers?|siblings?|sons?|daughters?|kids?|child(?:ren)?|bab(?:y|ies)|twins?|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|uncle|aunt|cousins?|nephews?|nieces?|grand\p{L}+|friends?|buddy|boss|manager|colleagues?|coworkers?|co-workers?|team|teachers?|students?|pupils?|class|doctors?|therapist|coach|neighbou?rs?|roommates?|flatmates?|people|others|everyone|everybody|someone|somebody|clients?|customers?|patients?|guests?|family|couple|group|company|band|man|men|wom[ae]n|boys?|girls?|person|dogs?|cats?|pets?|horses?|puppy|kittens?|players?|members?|both|two|three|four|five|six|several|many|some|these|those)(?![\p{L}\p{N}])/iu;
const NAME = /(?<=\p{L}[\p{L}’'-]*,? )(?!I\b)\p{Lu}\p{Ll}+/u;

/** No other person was named before it (docs/reference/writing-constraints.md#no-pronoun-for-the-user). */
function hasPronounForUser(content: string): boolean {
  for (const { index } of content.matchAll(PRONOUN)) {
    const before = content.slice(0, index);
    if (!SOMEBODY.test(before) && !NAME.test(dropOpening(before))) return true;
  }
  return false;
}

/** The text without the user's own name, with which a memory begins. */
function dropOpening(text: string): string {
  return text.replace(/^(?:The user|\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*)*?)(?:['’]s)? /u, 'x ');
}
