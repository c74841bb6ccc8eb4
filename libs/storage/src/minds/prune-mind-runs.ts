import { lockExistingUser } from '../audit/user-chain.js';
import { NIL_UUID } from '../database/cursor.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';

/** A run that is over, and whose it was. */
export interface EndedMindRun {
  readonly tenantId: string;
  readonly userId: string | null;
  readonly runId: string;
}

/** Position in the runs that are over, by their end (epoch ms). */
export interface EndedRunPosition {
  readonly endedAt: number;
  readonly tenantId: string;
  readonly runId: string;
}

export const ENDED_RUNS_START: EndedRunPosition = { endedAt: 0, tenantId: NIL_UUID, runId: NIL_UUID };

interface EndedRunRow {
  readonly tenant_id: string;
  readonly user_id: string | null;
  readonly run_id: string;
  readonly ended_at: Date;
}

/**
 * The next runs that ended before a time (epoch ms), of all tenants, oldest first; `position`: where to go on, null at
 * the end. Runs that are queued, in work or wait to go on are left out, however old.
 */
export async function findEndedMindRuns(
  database: Database,
  { before, after, limit }: { readonly before: number; readonly after: EndedRunPosition; readonly limit: number },
): Promise<{ due: EndedMindRun[]; position: EndedRunPosition | null }> {
  const parameters = [new Date(before), new Date(after.endedAt), after.tenantId, after.runId, limit];
  const rows = await database.callAcrossTenants<EndedRunRow>('find_ended_mind_runs', parameters);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return {
    due: rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id, runId: row.run_id })),
    position: last ? { endedAt: last.ended_at.getTime(), tenantId: last.tenant_id, runId: last.run_id } : null,
  };
}

/**
 * Deletes the records of a user's runs that are over since `before` (epoch ms), with their changes, and returns how many.
 * What later runs need of them stays with the memories: when importance was last changed, and which pairs an undo
 * separated. Under the user's lock, as every change of memories.
 */
export async function pruneMindRuns(
  tx: Tx,
  {
    userId,
    runIds,
    before,
  }: { readonly userId: string | null; readonly runIds: readonly string[]; readonly before: number },
): Promise<number> {
  if (userId !== null) await lockExistingUser(tx, userId);
  const [row] = await tx.query<{ pruned: number }>('SELECT prune_mind_runs($1, $2) AS pruned', [
    runIds,
    new Date(before),
  ]);
  return row!.pruned;
}

/** Deletes up to `limit` decisions about pairs of memories that no longer stand at `now` (epoch ms), and returns how many. */
export function purgeFingerprints(database: Database, now: number, limit: number): Promise<number> {
  return database.callScalarAcrossTenants<number>('purge_fingerprints', [new Date(now), limit]);
}

/** Deletes up to `limit` sums of energy of UTC days before that of `before` (epoch ms), and returns how many. */
export function purgeEnergyUsage(database: Database, before: number, limit: number): Promise<number> {
  return database.callScalarAcrossTenants<number>('purge_energy_usage', [
    new Date(before).toISOString().slice(0, 10),
    limit,
  ]);
}
