import type { HistoryEvent } from '@annals/contracts';
import type { WritePlan } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { FoundEcho } from '../echoes/find-echoes.js';
import { askForSummaries } from './ask-for-summaries.js';
import { dropHiddenSentences, findConversationsOf, findSummarized } from './drop-hidden-sentences.js';

/** Conversations whose messages a write hides or shows again. */
export interface RetoldConversations {
  readonly all: readonly string[];
  readonly summarized: readonly string[];
  /** Whether it may show any again. */
  readonly isRestored: boolean;
}

/**
 * The conversations of which messages are hidden by this write, or shown again, and those of them with summaries.
 * `echoes`: the turns that the write will note as repetitions. Two round trips for a deletion by somebody and for what
 * reverts one, none for all else.
 */
export async function findRetoldConversations(
  tx: Tx,
  userId: string,
  { updates, history, echoes }: Pick<WritePlan, 'updates' | 'history'> & { readonly echoes: readonly FoundEcho[] },
): Promise<RetoldConversations> {
  const events = new Set(history.flatMap(({ event, memoryId }) => (REVERTS.has(event) && memoryId ? [memoryId] : [])));
  const ids = updates
    .filter(({ id, state, deletedBy }) => {
      return events.has(id) || (state === 'soft_deleted' && (deletedBy === 'user' || deletedBy === 'undo'));
    })
    .map(({ id }) => id);
  if (ids.length === 0) return { all: [], summarized: [], isRestored: false };
  const repeating = echoes.filter(({ memoryId }) => ids.includes(memoryId)).map(({ messageId }) => messageId);
  const all = await findConversationsOf(tx, userId, ids, repeating);
  return { all, summarized: await findSummarized(tx, all), isRestored: events.size > 0 };
}

/** Events after which messages that a deletion hid may be visible again. */
const REVERTS: ReadonlySet<HistoryEvent> = new Set(['RESTORE', 'UNDO']);

/** The statements that take hidden sentences out of the summaries, and ask for these again. */
export function retellConversations(
  tx: Tx,
  { all, summarized }: RetoldConversations,
  request: Parameters<typeof askForSummaries>[2],
): Promise<unknown>[] {
  if (all.length === 0) return [];
  const dropped = dropHiddenSentences(tx, all);
  return summarized.length === 0 ? [dropped] : [dropped, askForSummaries(tx, summarized, request)];
}
