import type { ContextObservation, StoredTurn } from '@annals/storage';
import type { BatchFindings } from './build-changes.js';

/** The input for detecting the user context in a batch: its messages, and its memories that are not quarantined. */
export function buildObservation(
  userId: string,
  { messages, items }: { readonly messages: readonly StoredTurn[]; readonly items: BatchFindings['items'] },
): ContextObservation {
  return {
    userId,
    messages,
    memories: items
      .filter(({ quarantineReason }) => quarantineReason === undefined)
      .map(({ content, evidence }) => ({ content, messageIds: evidence.map(({ message_id }) => message_id) })),
  };
}
