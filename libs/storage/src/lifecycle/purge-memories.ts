import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { writeMemories, type WriteDependencies } from '../memories/write-memories.js';
import { type DueMemory, LIFECYCLE_ACTOR } from './expire-memories.js';

/** Deleted memories of all tenants whose time to be restored is over, the longest due first. `now` is epoch ms. */
export async function findPurgeable(
  database: Database,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<DueMemory[]> {
  const rows = await database.callAcross<{ tenant_id: string; user_id: string; memory_id: string }>(
    'find_purgeable($1, $2)',
    [new Date(now), limit],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id, memoryId: row.memory_id }));
}

/** Ends those of a user's memories that are due, and answers how many. */
export async function purgeMemories(
  tx: Tx,
  { userId, memoryIds }: { readonly userId: string; readonly memoryIds: readonly string[] },
  dependencies: WriteDependencies,
): Promise<number> {
  const changes = memoryIds.map((memoryId) => ({ kind: 'purge', memoryId }) as const);
  const command = { userId, actor: LIFECYCLE_ACTOR, node: 'worker', changes, embeddings: new Map() };
  const written = await writeMemories(tx, command, dependencies);
  return written.outcome === 'applied' ? written.results.filter(({ outcome }) => outcome === 'purged').length : 0;
}
