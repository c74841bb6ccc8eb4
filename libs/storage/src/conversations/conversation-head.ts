import type { ConversationHead } from '@annals/contracts';
import type { ConversationEntity } from '../entities/conversation.entity.js';

/** Columns of a HeadRow. */
export const HEAD_COLUMNS =
  'id, user_id, thread_id, agent_id, run_id, app_id, kind, message_count, created_at, updated_at, ended_at';

export type HeadRow = Omit<ConversationEntity, 'tenant_id' | 'deletions' | 'memories_injected_at'>;

/** A conversation without its messages. */
export function toHead(row: HeadRow): ConversationHead {
  return {
    id: row.id,
    user_id: row.user_id,
    thread_id: row.thread_id,
    agent_id: row.agent_id,
    run_id: row.run_id,
    app_id: row.app_id,
    kind: row.kind,
    message_count: row.message_count,
    state: row.ended_at ? 'ended' : 'open',
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
