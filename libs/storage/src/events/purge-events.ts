import type { Database } from '../database/database.js';

/**
 * Deletes the oldest events before `before` (epoch ms) in every tenant, at most `limit`. Returns how many were deleted.
 */
export async function purgeEvents(database: Database, before: number, limit: number): Promise<number> {
  const [row] = await database.callAcrossTenants<{ purge_events: number }>('purge_events($1, $2)', [
    new Date(before),
    limit,
  ]);
  return row!.purge_events;
}
