import type { ConversationPage, ListConversationsQuery } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import { Binder } from '../query/binder.js';
import { HEAD_COLUMNS, type HeadRow, toHead } from './conversation-head.js';

/** `position`: `updated_at` with its microseconds. */
type ListedRow = HeadRow & { readonly position: string };

/** Conversations of a user, the last changed first; `agentId`: those that this agent began. Throws InvalidCursorError. */
export async function listConversations(
  tx: Tx,
  query: ListConversationsQuery & { readonly agentId: string | null },
): Promise<ConversationPage> {
  const before = parseCursor(query.cursor, ['time', 'uuid']);
  const binder = new Binder();
  binder.where((p) => `user_id = ${p}`, query.user_id);
  binder.where((p) => `agent_id = ${p}`, query.agentId);
  const isBefore = before
    ? [`(updated_at, id) < (${binder.bind(before[0])}::timestamptz, ${binder.bind(before[1])}::uuid)`]
    : [];
  const rows = await tx.query<ListedRow>(
    `SELECT ${HEAD_COLUMNS}, updated_at::text AS position
       FROM conversations WHERE ${binder.whereSql(...isBefore)}
      ORDER BY updated_at DESC, id DESC LIMIT ${binder.bind(query.limit + 1)}`,
    binder.values,
  );
  return buildPage(rows, query.limit, toHead, ({ position, id }) => [position, id]);
}
