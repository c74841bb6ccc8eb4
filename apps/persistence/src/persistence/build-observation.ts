import type { ContextObservation, StoredTurn } from '@annals/storage';
import type { BatchFindings } from './build-changes.js';

/** A batch as the user's context is looked for in it: what was said, and what of the extraction is grounded. */
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
