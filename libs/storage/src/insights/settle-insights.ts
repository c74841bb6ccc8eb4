import type { MemoryChange } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { selectMergedIntoSql } from '../memories/is-merged.js';
import { isStandingSql } from './standing-ground.js';

/** What has changed for the insights of a user. */
export interface GroundChange {
  readonly userId: string;
  /** Memories that were ended, deleted or made current again by statements of this transaction. */
  readonly memoryIds: readonly string[];
  /** A conversation that is about to be deleted. */
  readonly forgottenId?: string;
  /** Messages that lost words: no insight rests on them any more. */
  readonly cutMessageIds?: readonly string[];
}

/**
 * What has to happen to insights by a change of their ground (docs/reference/insights.md#insights-fall-with-their-ground):
 * those that have lost all of it are deleted, superseded ones too, and those that were deleted for this and have some
 * again are restored. One without evidence may rest on anything that was read: it is deleted with the first of it, and not
 * restored. One that was stated since is left alone. Two round trips, one for a user without insights: PostgreSQL takes
 * 24 ms to plan the second. Runs under the user's lock.
 */
export async function planSettlement(
  tx: Tx,
  { userId, memoryIds, forgottenId, cutMessageIds = [] }: GroundChange,
): Promise<MemoryChange[]> {
  const insights = await tx.query('SELECT FROM insights WHERE user_id = $1 LIMIT 1', [userId]);
  if (insights.length === 0) return [];
  const rows = await tx.query<Pick<MemoryEntity, 'id' | 'state'>>(
    `WITH RECURSIVE changed AS (
       SELECT id FROM unnest($2::uuid[]) AS id
       UNION
       SELECT n.id FROM changed s CROSS JOIN LATERAL (${selectMergedIntoSql('$1', '= s.id')}) n
     ), touched AS (
       SELECT g.memory_id FROM insight_grounds g WHERE g.ground_id IN (SELECT id FROM changed)
       UNION
       SELECT g.memory_id FROM insight_grounds g JOIN memory_sources s ON s.message_id = g.message_id
        WHERE s.memory_id IN (SELECT id FROM changed)
       UNION
       SELECT g.memory_id FROM insights i JOIN insight_grounds g ON g.memory_id = i.memory_id
         JOIN messages t ON t.id = g.message_id
        WHERE i.user_id = $1 AND t.echo_of && ARRAY (SELECT id FROM changed)
       UNION
       SELECT g.memory_id FROM insight_grounds g
        WHERE $3::uuid IS NOT NULL AND g.message_id IN (SELECT t.id FROM messages t WHERE t.conversation_id = $3)
       UNION
       SELECT g.memory_id FROM insight_grounds g WHERE g.message_id = ANY ($4)
       UNION
       SELECT id FROM changed
     ), weighed AS (
       SELECT m.id, m.state,
              (SELECT CASE WHEN i.is_grounded THEN bool_or(n.stands) ELSE bool_and(n.stands) END
                 FROM (SELECT ${isStandingSql('r', { conversationId: '$3', messageIds: '$4' })} AS stands FROM insight_grounds r WHERE r.memory_id = m.id) n
              ) IS TRUE AS stands
         FROM touched t
         JOIN insights i ON i.memory_id = t.memory_id
         JOIN memories m ON m.id = i.memory_id
        WHERE m.user_id = $1 AND m.type = 'insight' AND NOT EXISTS (SELECT FROM memory_sources s WHERE s.memory_id = m.id)
          AND (m.state <> 'soft_deleted' OR m.deleted_by = 'ground' AND i.is_grounded))
     SELECT id, state FROM weighed WHERE stands = (state = 'soft_deleted') ORDER BY id`,
    [userId, memoryIds, forgottenId ?? null, cutMessageIds],
  );
  return rows.map(({ id, state }): MemoryChange =>
    state === 'soft_deleted'
      ? { kind: 'restore', memoryId: id, by: 'ground' }
      : { kind: 'delete', memoryId: id, by: 'ground' },
  );
}
