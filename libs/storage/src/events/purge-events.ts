import type { Database } from '../database/database.js';

/** Deletes the oldest events from before `before` (epoch ms) in every tenant, `limit` at most; answers how many. */
export async function purgeEvents(database: Database, before: number, limit: number): Promise<number> {
  const [row] = await database.callAcrossTenants<{ purge_events: number }>('purge_events($1, $2)', [
    new Date(before),
    limit,
  ]);
  return row!.purge_events;
}
