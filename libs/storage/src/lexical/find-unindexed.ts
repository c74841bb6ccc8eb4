import type { Database } from '../database/database.js';

/** A user whose index lacks something. */
export interface UnindexedUser {
  readonly tenantId: string;
  readonly userId: string;
  /** A sealed batch that no worker has indexed: `indexTurns`. Null: all of it is old, `reindexUser`. */
  readonly batchId: string | null;
}

/** At most `limit` gaps in the index, of all tenants: ids only. */
export async function findUnindexed(_database: Database, _limit: number): Promise<UnindexedUser[]> {
  return [];
}
