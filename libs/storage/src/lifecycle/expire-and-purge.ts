import { type ChangeResult, type MemoryChange, scopeOfOwner } from '@annals/domain';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { type WriteDependencies, writeMemories } from '../memories/write-memories.js';
import { type DueMemory, SCAN_START, type ScanPosition, type ScanStep, toScanStep } from './memory-scan.js';

/** Writes changes of a user's memories and returns the results; none when nothing was written. */
async function writeChanges(
  tx: Tx,
  userId: string,
  changes: readonly MemoryChange[],
  dependencies: WriteDependencies,
): Promise<readonly ChangeResult[]> {
  const command = { userId, actor: 'lifecycle', node: 'worker', changes, existingUserOnly: true } as const;
  const written = await writeMemories(tx, command, dependencies);
  return written.outcome === 'applied' ? written.results : [];
}

/** Memories of one user. */
interface UserMemories {
  readonly userId: string;
  readonly memoryIds: readonly string[];
}

/** When a memory expires (docs/reference/lifecycle.md#expiry-after-60-days). */
export interface ExpiryRule {
  /** Epoch ms: not read, changed or repeated in a message since. */
  readonly idleSince: number;
  /** Importance, 1–5, from which on a memory does not expire. */
  readonly minRetainedImportance: number;
}

/**
 * Scans the next `scan` memories of all tenants in the order of their key, which needs no index of its own, and returns
 * those that may have expired; `position` is where the scan continues, null at its end. Global memories do not expire.
 */
export async function findExpired(
  database: Database,
  rule: ExpiryRule,
  { after, scan }: { readonly after: ScanPosition; readonly scan: number },
): Promise<ScanStep> {
  const parameters = [new Date(rule.idleSince), rule.minRetainedImportance, after.tenantId, after.memoryId, scan];
  const { due, position } = toScanStep(await database.callAcrossTenants('find_expired', parameters));
  return { due: due.filter(({ userId }) => scopeOfOwner(userId) === 'user'), position };
}

/** Result of expiring a user's memories. */
export interface ExpiryResult {
  readonly expired: number;
  /** Of these: extracted and never part of an answer (docs/reference/extraction.md#junk-rate). */
  readonly unread: number;
}

/**
 * Expires those of a user's memories to which the rule still applies. Superseded memories are retained as long as a
 * successor is not deleted (docs/reference/truth-and-time.md#superseded-memories-are-retained), since `as_of` queries
 * need them; superseded insights are not.
 */
export async function expireMemories(
  tx: Tx,
  { userId, memoryIds, rule }: UserMemories & { readonly rule: ExpiryRule },
  dependencies: WriteDependencies,
): Promise<ExpiryResult> {
  const rows = await lockExpired(tx, userId, memoryIds, rule);
  if (rows.length === 0) return { expired: 0, unread: 0 };
  const changes = rows.map(({ id }) => ({ kind: 'delete', memoryId: id, by: 'ttl' }) as const);
  const results = await writeChanges(tx, userId, changes, dependencies);
  const expired = results.filter(({ outcome }) => outcome === 'deleted');
  const unread = new Set(rows.filter((row) => row.is_unread).map(({ id }) => id));
  return { expired: expired.length, unread: expired.filter(({ memoryId }) => unread.has(memoryId)).length };
}

type ExpiredRow = Pick<MemoryEntity, 'id'> & { is_unread: boolean };

/** Locks the user, like every writer, then the memories, to wait for accesses, then reads what these have written. */
async function lockExpired(
  tx: Tx,
  userId: string,
  memoryIds: readonly string[],
  { idleSince, minRetainedImportance }: ExpiryRule,
): Promise<ExpiredRow[]> {
  const [, , rows] = await allOf([
    tx.query('SELECT FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [userId]),
    tx.query('SELECT FROM memories WHERE id = ANY ($1) AND user_id = $2 ORDER BY id FOR NO KEY UPDATE', [
      memoryIds,
      userId,
    ]),
    tx.query<ExpiredRow>(
      `SELECT m.id, m.origin = 'extraction' AND a.memory_id IS NULL
                AND NOT (m.type = 'insight' AND m.superseded_by IS NOT NULL) AS is_unread
         FROM memories m LEFT JOIN memory_access a ON a.memory_id = m.id
        WHERE m.id = ANY ($1) AND m.user_id = $2 AND m.state <> 'soft_deleted' AND NOT m.pinned AND m.importance < $4
          AND m.updated_at < $3 AND (a.last_accessed_at IS NULL OR a.last_accessed_at < $3)
          AND NOT EXISTS (SELECT FROM memory_sources s WHERE s.memory_id = m.id AND s.said_at >= $3)
          AND (m.type = 'insight'
            OR NOT EXISTS (SELECT FROM memories n WHERE n.id = m.superseded_by AND n.state <> 'soft_deleted'))
        ORDER BY m.id`,
      [memoryIds, userId, new Date(idleSince), minRetainedImportance],
    ),
  ]);
  return rows;
}

/** Restores memories that were read before they expired. */
export async function restoreExpiredMemories(
  tx: Tx,
  { userId, memoryIds }: UserMemories,
  dependencies: WriteDependencies,
): Promise<void> {
  const changes = memoryIds.map((memoryId) => ({ kind: 'restore', memoryId }) as const);
  await writeChanges(tx, userId, changes, dependencies);
}

/** Position of a scan of due memories; `purgeAt` is epoch ms. */
export interface PurgePosition extends ScanPosition {
  readonly purgeAt: number;
}

type PurgeableRow = Pick<MemoryEntity, 'tenant_id' | 'user_id'> & { memory_id: string; purge_at: Date };

export const PURGE_START: PurgePosition = { ...SCAN_START, purgeAt: 0 };

/** The next deleted memories beyond restoring, longest due first; `position`: where to go on, null at the end. */
export async function findPurgeable(
  database: Database,
  { now, after, limit }: { readonly now: number; readonly after: PurgePosition; readonly limit: number },
): Promise<{ due: DueMemory[]; position: PurgePosition | null }> {
  const parameters = [new Date(now), new Date(after.purgeAt), after.tenantId, after.memoryId, limit];
  const rows = await database.callAcrossTenants<PurgeableRow>('find_purgeable', parameters);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    due: rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id, memoryId: row.memory_id })),
    position: last ? { purgeAt: last.purge_at.getTime(), tenantId: last.tenant_id, memoryId: last.memory_id } : null,
  };
}

/** Since when, in ms, the deleted memory that is due longest should have been purged at `now` (epoch ms); 0 without one. */
export async function readPurgeOverdueMs(database: Database, now: number): Promise<number> {
  const { position } = await findPurgeable(database, { now, after: PURGE_START, limit: 1 });
  return position === null ? 0 : now - position.purgeAt;
}

/** Purges those of a user's memories that are due, and returns how many. */
export async function purgeMemories(
  tx: Tx,
  { userId, memoryIds }: UserMemories,
  dependencies: WriteDependencies,
): Promise<number> {
  const changes = memoryIds.map((memoryId) => ({ kind: 'purge', memoryId }) as const);
  const results = await writeChanges(tx, userId, changes, dependencies);
  return results.filter(({ outcome }) => outcome === 'purged').length;
}
