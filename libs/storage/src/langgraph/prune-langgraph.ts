import type { LangGraphThreadCounts } from '@annals/contracts';
import { findRetainedCheckpoints } from '@annals/domain';
import { packSmall } from '@annals/state-delta';
import { pruneDue } from '../checkpoints/prune-due.js';
import { NIL_UUID } from '../database/cursor.js';
import type { Database } from '../database/database.js';
import { NO_TENANT, type Tx } from '../database/transaction.js';
import type { LangGraphCheckpointEntity, LangGraphNamespaceEntity } from '../entities/langgraph.entity.js';
import { NAMESPACE_OF_THREAD } from './namespaces.js';
import { hideCheckpoints, readState } from './stored-states.js';

type Row = Pick<
  LangGraphCheckpointEntity,
  'seq' | 'whole_seq' | 'checkpoint_id' | 'parent_id' | 'replayed_channels' | 'saved_at'
>;

/**
 * Deletes the checkpoints of a namespace but the newest one, those saved at `before` or later (epoch ms; null for none),
 * and the ancestors that these need (docs/reference/langgraph.md#retention).
 */
export async function pruneNamespace(
  tx: Tx,
  namespaceKey: string,
  before: number | null,
): Promise<LangGraphThreadCounts> {
  const [head] = await tx.query<Pick<LangGraphNamespaceEntity, 'seq'>>(
    'SELECT seq FROM langgraph_namespaces WHERE namespace_key = $1 FOR UPDATE',
    [namespaceKey],
  );
  if (!head) return { checkpoints: 0, writes: 0 };
  const rows = await tx.query<Row>(
    `SELECT seq, whole_seq, checkpoint_id, parent_id, replayed_channels, saved_at FROM langgraph_checkpoints
      WHERE namespace_key = $1 ORDER BY checkpoint_id NULLS FIRST`,
    [namespaceKey],
  );
  const visible = rows.flatMap((row) =>
    row.checkpoint_id === null ? [] : [{ ...row, checkpointId: row.checkpoint_id }],
  );
  const newest = visible.at(-1);
  if (!newest) return { checkpoints: 0, writes: 0 };
  const retained = findRetainedCheckpoints(
    visible.map(({ checkpointId, parent_id, replayed_channels, saved_at }) => ({
      checkpointId,
      parentId: parent_id,
      replayedChannels: replayed_channels ?? [],
      savedAt: saved_at.getTime(),
    })),
    ({ checkpointId, savedAt }) => checkpointId === newest.checkpointId || (before !== null && savedAt >= before),
  );
  const gone = visible.filter(({ checkpointId }) => !retained.has(checkpointId));
  const ids = gone.map(({ checkpointId }) => checkpointId);
  const kept = rows.filter(({ checkpoint_id: id }) => id !== null && retained.has(id));
  const oldest = kept.reduce((first, row) => (row.seq < first.seq ? row : first));
  // Also states whose checkpoint went before: it was replaced by another of its id.
  if (gone.length === 0 && rows.every(({ seq }) => seq >= oldest.seq)) return { checkpoints: 0, writes: 0 };
  const writes = await tx.execute(
    'DELETE FROM langgraph_writes WHERE namespace_key = $1 AND checkpoint_id = ANY ($2)',
    [namespaceKey, ids],
  );
  if (oldest.whole_seq !== oldest.seq) await storeWhole(tx, namespaceKey, oldest);
  await tx.execute('DELETE FROM langgraph_checkpoints WHERE namespace_key = $1 AND seq < $2', [
    namespaceKey,
    oldest.seq,
  ]);
  await hideCheckpoints(tx, namespaceKey, ids);
  return { checkpoints: gone.length, writes };
}

/** Stores a state whole, with the same content and number, so that those before it can go. */
async function storeWhole(tx: Tx, namespaceKey: string, { seq, whole_seq: before }: Row): Promise<void> {
  const body = packSmall(await readState(tx, namespaceKey, before, seq));
  await tx.execute(
    `UPDATE langgraph_checkpoints SET whole_seq = $2, body = CASE WHEN seq = $2 THEN $3 ELSE body END
      WHERE namespace_key = $1 AND whole_seq = $4 AND seq >= $2`,
    [namespaceKey, seq, body, before],
  );
  await tx.execute(
    `UPDATE langgraph_namespaces
        SET whole_seq = $2, whole_bytes = $3,
            delta_bytes = (SELECT coalesce(sum(octet_length(c.body)), 0) FROM langgraph_checkpoints c
                            WHERE c.namespace_key = $1 AND c.seq > $2)
      WHERE namespace_key = $1 AND whole_seq = $4`,
    [namespaceKey, seq, body.length, before],
  );
}

/** Prunes all namespaces of threads to their newest checkpoint. `userId`: only threads of this user. */
export async function pruneLangGraphThreads(
  tx: Tx,
  { threadIds, userId }: { readonly threadIds: readonly string[]; readonly userId: string | undefined },
): Promise<LangGraphThreadCounts> {
  const rows = await tx.query<Pick<LangGraphNamespaceEntity, 'namespace_key'>>(
    `SELECT n.namespace_key FROM ${NAMESPACE_OF_THREAD}
      WHERE t.thread_id = ANY ($1) AND ($2::text IS NULL OR t.user_id = $2) ORDER BY n.namespace_key`,
    [threadIds, userId ?? null],
  );
  const counts = { checkpoints: 0, writes: 0 };
  for (const { namespace_key: key } of rows) {
    const { checkpoints, writes } = await pruneNamespace(tx, key, null);
    counts.checkpoints += checkpoints;
    counts.writes += writes;
  }
  return counts;
}

/** The last namespace that was scanned: tenant, key. */
export type LangGraphPruneCursor = readonly [tenantId: string, namespaceKey: string];

/**
 * Prunes checkpoints saved before `before` (epoch ms) in the next `limit` namespaces of all tenants after `cursor`. Returns
 * the number of deleted checkpoints and the next cursor; null at the end. A namespace that cannot be read does not stop
 * the others: the first such error is the `problem`. Throws when the database is unavailable.
 */
export async function pruneOldLangGraphCheckpoints(
  database: Database,
  { before, limit, cursor }: { before: number; limit: number; cursor: LangGraphPruneCursor | null },
): Promise<{ versions: number; cursor: LangGraphPruneCursor | null; problem?: unknown }> {
  const scanned = await database.callAcrossTenants<{ tenant_id: string; namespace_key: string; is_due: boolean }>(
    'look_for_old_langgraph_checkpoints',
    [new Date(before), ...(cursor ?? [NO_TENANT, NIL_UUID]), limit],
  );
  const { versions, problem } = await pruneDue(scanned, async ({ tenant_id: tenantId, namespace_key: key }) => {
    const pruned = await database.inTenant(tenantId, (tx) => pruneNamespace(tx, key, before));
    return pruned.checkpoints;
  });
  const last = scanned.at(-1);
  return { versions, problem, cursor: last && scanned.length === limit ? [last.tenant_id, last.namespace_key] : null };
}
