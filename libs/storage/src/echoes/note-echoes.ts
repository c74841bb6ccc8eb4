import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { NIL_UUID } from '../database/cursor.js';
import { isMergedSql } from '../memories/is-merged.js';
import { findIndexedEchoes, type FoundEcho } from './find-echoes.js';

/**
 * SQL of the memories `m` whose echoes are noted: they have ended, or somebody deleted them, while what they say was not
 * merged into a memory of the same meaning. The first line is the condition of the index `memories_over`.
 */
const IS_OVER_SQL = `(m.valid_to IS NOT NULL OR m.deleted_at IS NOT NULL)
  AND (m.state = 'active' OR m.state = 'soft_deleted' AND m.deleted_by IN ('user', 'undo'))
  AND m.quarantine_reason IS NULL AND NOT ${isMergedSql('m')}`;

/** Of one user: what new turns are compared with, the newest first. */
const MAX_COMPARED = 500;

export type StoredOverMemory = Readonly<Pick<MemoryEntity, 'id' | 'content' | 'normalized_hash'>>;

export function loadOverMemories(tx: Tx, userId: string): Promise<StoredOverMemory[]> {
  return tx.query<StoredOverMemory>(
    `SELECT m.id, m.content, m.normalized_hash FROM memories m WHERE m.user_id = $1 AND ${IS_OVER_SQL}
      ORDER BY m.updated_at DESC, m.id DESC LIMIT ${MAX_COMPARED}`,
    [userId],
  );
}

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

const PAGE = 500;

/**
 * Notes the echoes of all of a user's memories that are over, in the index as it is now, instead of those noted before: an
 * earlier version of the rule may have taken other turns for echoes.
 */
export async function noteAllEchoes(tx: Tx, userId: string): Promise<void> {
  await tx.execute(
    `UPDATE messages g SET echo_of = NULL
       FROM conversations c
      WHERE c.user_id = $1 AND g.tenant_id = c.tenant_id AND g.conversation_id = c.id AND g.echo_of IS NOT NULL`,
    [userId],
  );
  let after = NIL_UUID;
  for (;;) {
    const memories = await tx.query<Pick<MemoryEntity, 'id' | 'content'>>(
      `SELECT m.id, m.content FROM memories m WHERE m.user_id = $1 AND m.id > $2 AND ${IS_OVER_SQL}
        ORDER BY m.id LIMIT ${PAGE}`,
      [userId, after],
    );
    const echoes = await findIndexedEchoes(tx, userId, memories);
    if (echoes.length > 0) await noteEchoes(tx, echoes);
    if (memories.length < PAGE) return;
    after = memories.at(-1)!.id;
  }
}
