import type { Database } from '../database/database.js';
import { listTenantIds } from '../audit/verify-audit.js';
import type { Tx } from '../database/transaction.js';
import type { IdGenerator } from '@annals/domain';

/** What a tenant has spent with a provider on a UTC day (`YYYY-MM-DD`), calls that are running included. */
export interface DaySpending {
  readonly tenantId: string;
  readonly day: string;
  readonly provider: string;
  readonly microUsd: number;
}

/** Stands for the model of calls whose rows are lost. */
const LOST_MODEL = 'restored';

/** The spending of all tenants since a UTC day. */
export async function readSpending(database: Database, since: string): Promise<DaySpending[]> {
  const all: DaySpending[] = [];
  for await (const tenantId of listTenantIds(database, null)) {
    const rows = await database.readTenant(tenantId, (tx) => sumSpending(tx, since));
    all.push(...rows.map((row) => ({ tenantId, ...row })));
  }
  return all;
}

async function sumSpending(tx: Tx, since: string): Promise<Omit<DaySpending, 'tenantId'>[]> {
  const rows = await tx.query<{ day: string; provider: string; cost: string }>(
    `SELECT c.day::text AS day, c.provider, sum(c.cost) AS cost FROM (
       SELECT u.day, u.provider, u.cost_micro_usd AS cost FROM usage u WHERE u.day >= $1
       UNION ALL
       SELECT r.day, r.provider, r.amount_micro_usd FROM reservations r WHERE r.day >= $1) c
      GROUP BY c.day, c.provider ORDER BY c.day, c.provider`,
    [since],
  );
  return rows.map(({ day, provider, cost }) => ({ day, provider, microUsd: Number(cost) }));
}

/**
 * Charges what was spent according to `spending` and is missing in a restored ledger, so that no budget is spent twice,
 * as calls with the outcome `lost` (docs/reference/budgets.md#lost-calls-are-charged-in-full). Returns the amount.
 */
export async function chargeLostSpending(
  database: Database,
  spending: readonly DaySpending[],
  { now, ids }: { readonly now: number; readonly ids: IdGenerator },
): Promise<number> {
  let charged = 0;
  const days = new Set<string>();
  for await (const tenantId of listTenantIds(database, null)) {
    for (const { day, provider, microUsd } of spending.filter((one) => one.tenantId === tenantId)) {
      const lost = await database.inTenant(tenantId, async (tx) => {
        const stored = await sumSpending(tx, day);
        const missing = microUsd - (stored.find((one) => one.day === day && one.provider === provider)?.microUsd ?? 0);
        if (missing <= 0) return 0;
        await tx.execute(
          `INSERT INTO usage (id, operation, provider, model, input_tokens, output_tokens, cost_micro_usd, estimated, day,
                              ts, outcome)
           VALUES ($1, 'extraction', $2, '${LOST_MODEL}', 0, 0, $3, true, $4, $5, 'lost')`,
          [ids.next(), provider, missing, day, new Date(now)],
        );
        return missing;
      });
      charged += lost;
      if (lost > 0) days.add(day);
    }
  }
  // Counters that were rebuilt from the restored ledger are too low.
  for (const day of days) await database.callAcrossTenants('raise_budget_epoch', [day]);
  return charged;
}
