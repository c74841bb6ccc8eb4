import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { writeMemories, type WriteDependencies } from '../memories/write-memories.js';
import { LIFECYCLE_ACTOR, LIFECYCLE_NODE } from './expire-memories.js';
import { type DueMemory, SCAN_START, type ScanPosition } from './memory-scan.js';

/** Position of a scan of due memories; `purgeAt` is epoch ms. */
export interface PurgePosition extends ScanPosition {
  readonly purgeAt: number;
}

export const PURGE_START: PurgePosition = { ...SCAN_START, purgeAt: 0 };

/**
 * The next `limit` deleted memories of all tenants that can no longer be restored, longest due first; `position` is
 * where the scan continues, null at its end. `now` is epoch ms.
 */
export async function findPurgeable(
  database: Database,
  { now, after, limit }: { readonly now: number; readonly after: PurgePosition; readonly limit: number },
): Promise<{ due: DueMemory[]; position: PurgePosition | null }> {
  const rows = await database.callAcrossTenants<
    Pick<MemoryEntity, 'tenant_id' | 'user_id'> & { memory_id: string; purge_at: Date }
  >('find_purgeable($1, $2, $3, $4, $5)', [
    new Date(now),
    new Date(after.purgeAt),
    after.tenantId,
    after.memoryId,
    limit,
  ]);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    due: rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id, memoryId: row.memory_id })),
    position: last ? { purgeAt: last.purge_at.getTime(), tenantId: last.tenant_id, memoryId: last.memory_id } : null,
  };
}

/** Purges those of a user's memories that are due, and returns how many. */
export async function purgeMemories(
  tx: Tx,
  { userId, memoryIds }: { readonly userId: string; readonly memoryIds: readonly string[] },
  dependencies: WriteDependencies,
): Promise<number> {
  const changes = memoryIds.map((memoryId) => ({ kind: 'purge', memoryId }) as const);
  const command = { userId, actor: LIFECYCLE_ACTOR, node: LIFECYCLE_NODE, changes, embeddings: new Map() };
  const written = await writeMemories(tx, command, dependencies);
  return written.outcome === 'applied' ? written.results.filter(({ outcome }) => outcome === 'purged').length : 0;
}
