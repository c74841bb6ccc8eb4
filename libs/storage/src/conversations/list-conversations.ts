import type { ConversationHead, ConversationPage, ListConversationsQuery } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { ConversationEntity } from '../entities/conversation.entity.js';
import { Binder } from '../query/binder.js';

type HeadRow = Omit<ConversationEntity, 'tenant_id' | 'deletions' | 'memories_injected_at'> & {
  /** `updated_at` with its microseconds. */
  readonly position: string;
};

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
  const rows = await tx.query<HeadRow>(
    `SELECT id, user_id, thread_id, agent_id, run_id, app_id, kind, message_count, created_at, updated_at, ended_at,
            updated_at::text AS position
       FROM conversations WHERE ${binder.whereSql(...isBefore)}
      ORDER BY updated_at DESC, id DESC LIMIT ${binder.bind(query.limit + 1)}`,
    binder.values,
  );
  return buildPage(rows, query.limit, toHead, ({ position, id }) => [position, id]);
}

function toHead({
  created_at: createdAt,
  updated_at: updatedAt,
  ended_at: endedAt,
  ...row
}: HeadRow): ConversationHead {
  return {
    id: row.id,
    user_id: row.user_id,
    thread_id: row.thread_id,
    agent_id: row.agent_id,
    run_id: row.run_id,
    app_id: row.app_id,
    kind: row.kind,
    message_count: row.message_count,
    state: endedAt ? 'ended' : 'open',
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}
