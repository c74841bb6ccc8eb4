import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';

/** What a budget day has cost and what is reserved for running calls, in micro-USD. */
export interface BudgetUsage {
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

/** The tenant's usage on a UTC day (`YYYY-MM-DD`), from the ledger. */
export async function readTenantBudgetUsage(tx: Tx, day: string): Promise<BudgetUsage> {
  const [row] = await tx.query<{ spent: string; held: string }>(
    `SELECT (SELECT coalesce(sum(cost_micro_usd), 0) FROM usage WHERE day = $1) AS spent,
            (SELECT coalesce(sum(amount_micro_usd), 0) FROM reservations WHERE day = $1) AS held`,
    [day],
  );
  return { spentMicroUsd: Number(row!.spent), reservedMicroUsd: Number(row!.held) };
}

/** The usage of all tenants together, deleted ones included, and the share of each provider. */
export async function readDeploymentBudgetUsage(
  database: Database,
  day: string,
): Promise<{ readonly deployment: BudgetUsage; readonly providers: ReadonlyMap<string, BudgetUsage> }> {
  const rows = await database.callAcrossTenants<{ provider: string; spent_micro_usd: string; held_micro_usd: string }>(
    'budget_standing($1)',
    [day],
  );
  const providers = new Map(
    rows.map((row) => [
      row.provider,
      { spentMicroUsd: Number(row.spent_micro_usd), reservedMicroUsd: Number(row.held_micro_usd) },
    ]),
  );
  const all = [...providers.values()];
  return {
    deployment: {
      spentMicroUsd: all.reduce((sum, { spentMicroUsd }) => sum + spentMicroUsd, 0),
      reservedMicroUsd: all.reduce((sum, { reservedMicroUsd }) => sum + reservedMicroUsd, 0),
    },
    providers,
  };
}
