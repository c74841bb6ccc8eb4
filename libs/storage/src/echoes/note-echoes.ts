import { defineRead } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { isMergedSql } from '../memories/is-merged.js';
import type { FoundEcho, OverMemory } from './find-echoes.js';

/**
 * SQL of the memories `m` whose echoes are noted, but for `isStillSaidSql`: they have ended, or somebody deleted them. The
 * first line is the condition of the index `memories_over`.
 */
export const IS_OVER_SQL = `(m.valid_to IS NOT NULL OR m.deleted_at IS NOT NULL)
  AND (m.state = 'active' OR m.state = 'soft_deleted' AND m.deleted_by IN ('user', 'undo'))
  AND m.quarantine_reason IS NULL`;

/** SQL of those of them whose words a memory of the same meaning still says; what was deleted with that one is none. */
export const isStillSaidSql = (m: string) => `(${m}.state = 'active' AND ${isMergedSql(m)})`;

/** Of one user: what new turns and memories are compared with, the newest first. */
const MAX_COMPARED = 500;
/** Of one user, of which those are left out that are still said: of each of these the history is read. */
const MAX_READ = 2_000;

export type StoredOverMemory = OverMemory & Readonly<Pick<MemoryEntity, 'normalized_hash'>>;

export function loadOverMemories(tx: Tx, userId: string, maxRead = MAX_READ): Promise<StoredOverMemory[]> {
  return tx.each(OVER_MEMORIES, { user_id: userId, max_read: maxRead });
}

const OVER_MEMORIES = defineRead<{ user_id: string; max_read: number }, StoredOverMemory>(
  'user_id text, max_read integer',
  `SELECT p.id, p.content, p.normalized_hash
     FROM (SELECT m.id, m.content, m.normalized_hash, m.state, m.superseded_by, m.updated_at FROM memories m
            WHERE m.user_id = given.user_id AND ${IS_OVER_SQL}
            ORDER BY m.updated_at DESC, m.id DESC LIMIT given.max_read) p
    WHERE NOT ${isStillSaidSql('p')}
    ORDER BY p.updated_at DESC, p.id DESC LIMIT ${MAX_COMPARED}`,
);

/** Notes with each turn which memories it repeats, beside those noted before. */
export function noteEchoes(tx: Tx, echoes: readonly FoundEcho[]): Promise<number> {
  const rows = [...Map.groupBy(echoes, ({ messageId }) => messageId)].map(([id, found]) => ({
    id,
    memory_ids: found.map(({ memoryId }) => memoryId),
  }));
  return tx.execute(
    `UPDATE messages g
        SET echo_of = ARRAY (SELECT DISTINCT n.id FROM unnest(coalesce(g.echo_of, '{}') || r.memory_ids) AS n (id)
                              ORDER BY n.id)
       FROM json_to_recordset($1) AS r (id uuid, memory_ids uuid[])
      WHERE g.id = r.id AND g.id = ANY ($2) AND NOT coalesce(g.echo_of @> r.memory_ids, false)`,
    [JSON.stringify(rows), rows.map(({ id }) => id)],
  );
}
