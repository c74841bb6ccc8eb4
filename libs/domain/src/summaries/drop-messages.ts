import type { SummarySentence } from './types.js';

/**
 * The sentences that rest on none of the deleted messages. A deletion takes the others along at once, in every tier and
 * tombstone; what the rest of their messages says comes back with the next run.
 */
export function dropSentencesOf(
  sentences: readonly SummarySentence[],
  isDeleted: (messageId: string) => boolean,
): readonly SummarySentence[] {
  return sentences.filter(({ messageIds }) => !messageIds.some(isDeleted));
}
