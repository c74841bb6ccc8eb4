import type { MemoryType } from '@annals/contracts';
import { isPastTense, splitSentences } from '@annals/english';
import { normalizeContent } from '../hash/index.js';
import { hasPronounForUser, hasFirstOrSecondPerson, removeQuotes } from './pronouns.js';

/** In characters and sentences (docs/reference/writing-constraints.md#length-limits). */
export const MAX_STATEMENT_LENGTH = 280;
export const MAX_STATEMENT_SENTENCES = 2;

/**
 * The writing constraints (docs/reference/writing-constraints.md#rules-that-are-checked), in the order in which
 * violations are reported.
 */
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
/**
 * Times that are meaningless without the time of the message
 * (docs/reference/truth-and-time.md#relative-dates-are-resolved).
 */
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
