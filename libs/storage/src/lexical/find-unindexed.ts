import { ANALYZER_VERSION } from '@annals/domain';
import type { Database } from '../database/database.js';
import type { UserEntity } from '../entities/user.entity.js';

/** A user or batch that is missing in the lexical index. */
export interface UnindexedUser {
  readonly tenantId: string;
  readonly userId: string;
  /** A sealed batch that no worker has indexed: `indexTurns`. Null: the user's whole index is outdated, `reindexPage`. */
  readonly batchId: string | null;
}

/** Batches sealed less than this time ago, in ms, are left to the worker that is about to claim them. */
const WORKER_GRACE_MS = 60_000;

/** Up to `limit` gaps in the index, of all tenants: ids only. Users whose whole index is outdated come first. */
export async function findUnindexed(
  database: Database,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<UnindexedUser[]> {
  const rows = await database.callAcrossTenants<
    Pick<UserEntity, 'tenant_id' | 'user_id'> & { batch_id: string | null }
  >('find_unindexed', [ANALYZER_VERSION, new Date(now - WORKER_GRACE_MS), limit]);
  return rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id, batchId: row.batch_id }));
}
