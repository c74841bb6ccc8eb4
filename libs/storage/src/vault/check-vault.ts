import type { IdGenerator } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import type { VaultErasureEntity } from '../entities/vault.entity.js';
import type { WorkEntity } from '../entities/work.entity.js';
import { enqueueWork } from '../work/enqueue-work.js';

export { listTenantIds } from '../audit/verify-audit.js';

/** Work of the vault that is not done: it waits (or runs), is deferred, or has failed. `code`: why; null while it only waits. */
export interface PendingVaultWork {
  readonly state: 'waiting' | 'deferred' | 'failed';
  readonly code: string | null;
}

/** A user who has a folder, and what there is to do for it. */
export interface VaultUserStanding {
  readonly userId: string;
  /** The user as subject of work, by which the folder is named. */
  readonly subjectId: string;
  readonly work: PendingVaultWork | null;
}

/** The folder of an erased user that is not removed yet. */
export interface PendingVaultRemoval {
  readonly subjectId: string;
  /** Epoch ms. */
  readonly requestedAt: number;
  readonly work: PendingVaultWork | null;
}

type WorkColumns = { readonly work_id: string | null } & Pick<
  WorkEntity,
  'failed_at' | 'failure_code' | 'deferred_reason'
>;

const WORK_COLUMNS = 'w.id AS work_id, w.failed_at, w.failure_code, w.deferred_reason';
const joinWork = (to: string) => `LEFT JOIN work w ON w.subject_id = ${to}.subject_id AND w.kind = 'vault'`;

/**
 * Users of a tenant by their ids, in pages. `userId`: this one alone. Erased users, and users of earlier releases who were not seen
 * since, have no folder and are left out.
 */
export async function listVaultUsers(
  tx: Tx,
  {
    after,
    limit,
    userId = null,
  }: { readonly after: string | null; readonly limit: number; readonly userId?: string | null },
): Promise<VaultUserStanding[]> {
  const rows = await tx.query<Pick<UserEntity, 'user_id'> & { subject_id: string } & WorkColumns>(
    `SELECT u.user_id, u.subject_id, ${WORK_COLUMNS} FROM users u ${joinWork('u')}
      WHERE u.subject_id IS NOT NULL AND u.pseudonym IS DISTINCT FROM u.user_id
        AND ($1::text IS NULL OR u.user_id > $1) AND ($2::text IS NULL OR u.user_id = $2)
      ORDER BY u.user_id LIMIT $3`,
    [after, userId, limit],
  );
  return rows.map((row) => ({ userId: row.user_id, subjectId: row.subject_id, work: toPending(row) }));
}

/** Removals of a tenant that are pending, by subject, in pages. */
export async function listPendingVaultRemovals(
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<PendingVaultRemoval[]> {
  const rows = await tx.query<Pick<VaultErasureEntity, 'subject_id' | 'requested_at'> & WorkColumns>(
    `SELECT e.subject_id, e.requested_at, ${WORK_COLUMNS} FROM vault_erasures e ${joinWork('e')}
      WHERE e.removed_at IS NULL AND ($1::uuid IS NULL OR e.subject_id > $1) ORDER BY e.subject_id LIMIT $2`,
    [after, limit],
  );
  return rows.map((row) => ({
    subjectId: row.subject_id,
    requestedAt: row.requested_at.getTime(),
    work: toPending(row),
  }));
}

function toPending({ work_id, failed_at, failure_code, deferred_reason }: WorkColumns): PendingVaultWork | null {
  if (work_id === null) return null;
  if (failed_at !== null) return { state: 'failed', code: failure_code };
  if (deferred_reason !== null) return { state: 'deferred', code: deferred_reason };
  return { state: 'waiting', code: null };
}

/** Asks for the folders of these users to be brought up to date. What is deferred stays so. Returns how many requests were new. */
export function requestVaultsOf(
  tx: Tx,
  subjectIds: readonly string[],
  { now, ids }: { readonly now: number; readonly ids: IdGenerator },
): Promise<number> {
  const requests = subjectIds.map((subjectId) => ({
    kind: 'vault' as const,
    subjectId,
    availableAt: now,
    trace: null,
  }));
  return enqueueWork(tx, requests, { now, ids });
}
