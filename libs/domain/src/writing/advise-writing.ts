import type { WritingRule } from '@annals/contracts';
import { checkManualWriting, type ManualWriting, type ManualWritingViolation } from './check-manual-writing.js';

/** What to do about each violation. */
const ADVICE: Readonly<Record<WritingRule, string>> = {
  empty: 'Write what to do in this step: nothing is left of it without its number and its opening words.',
  too_long: 'Use at most 280 characters: split the text into several memories.',
  too_many_sentences: 'Use at most two sentences: split the text into several memories.',
  not_third_person: 'Write in the third person: name who is meant instead of “I”, “we” or “you”.',
  pronoun_for_user: 'Repeat the name, or “the user”, instead of “he”, “she” or “they”.',
  not_self_contained:
    'Write what can be understood alone: name what “it” or “this” is, and give the date instead of “tomorrow”.',
  not_past_tense: 'Use the past tense: an episodic memory tells what happened.',
};

/** A violation and a sentence that says what to do about it. */
export interface WritingAdvice extends ManualWritingViolation {
  readonly message: string;
}

/** Every violation of `checkManualWriting`, in its order; empty when nothing speaks against the text. */
export function adviseWriting(writing: ManualWriting): WritingAdvice[] {
  return checkManualWriting(writing).map((violation) => ({ ...violation, message: ADVICE[violation.rule] }));
}

/** What to do about the whole text, each advice once; null when nothing speaks against it. */
export function adviseAgainst(writing: ManualWriting): string | null {
  return joinAdvice(adviseWriting(writing));
}

/** Each advice once, in one text; null when there is none. */
export function joinAdvice(advice: readonly WritingAdvice[]): string | null {
  const messages = new Set(advice.map(({ message }) => message));
  return messages.size === 0 ? null : [...messages].join(' ');
}
