import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { type BudgetAlertEntity, BudgetEntity, type DeploymentBudgetEntity } from '../entities/budget.entity.js';

/** Daily limits set at run time, in micro-USD; without one, the configured limit applies. Zero: not enforced. */
export interface BudgetOverrides {
  readonly deployment: number | null;
  readonly tenant: number | null;
  readonly providers: ReadonlyMap<string, number>;
}

/** The limits that apply to a tenant's calls. */
export function readBudgetLimits(database: Database, tenantId: string): Promise<BudgetOverrides> {
  return database.readTenant(tenantId, readBudgetOverrides);
}

/** The same for the tenant of a transaction. */
export async function readBudgetOverrides(tx: Tx): Promise<BudgetOverrides> {
  const rows = await tx.query<
    Pick<DeploymentBudgetEntity, 'id' | 'daily_limit_micro_usd'> & { scope: BudgetAlertEntity['scope'] }
  >(
    `SELECT scope, id, daily_limit_micro_usd FROM deployment_budgets
     UNION ALL SELECT 'tenant', '', daily_limit_micro_usd FROM budgets`,
  );
  const limitOf = (scope: string) => {
    const row = rows.find((candidate) => candidate.scope === scope);
    return row ? Number(row.daily_limit_micro_usd) : null;
  };
  const providers = rows.filter((row) => row.scope === 'provider');
  return {
    deployment: limitOf('deployment'),
    tenant: limitOf('tenant'),
    providers: new Map(providers.map((row) => [row.id, Number(row.daily_limit_micro_usd)])),
  };
}

/** Sets the tenant's own daily limit in micro-USD; null restores the configured limit. */
export async function setTenantBudget(tx: Tx, limitMicroUsd: number | null, now: number): Promise<void> {
  const budgets = tx.repository(BudgetEntity);
  const key = { tenant_id: tx.tenantId };
  if (limitMicroUsd === null) await budgets.delete(key);
  else {
    const row = { ...key, daily_limit_micro_usd: String(limitMicroUsd), updated_at: new Date(now) };
    await budgets.upsert(row, ['tenant_id']);
  }
}

export type SharedBudget =
  | { readonly scope: 'deployment' }
  /** `id`: the provider's name. */
  | { readonly scope: 'provider'; readonly id: string };

/** Sets a daily limit in micro-USD that all tenants share; null restores the configured limit. */
export async function setDeploymentBudget(
  database: Database,
  budget: SharedBudget & { readonly limitMicroUsd: number | null; readonly now: number },
): Promise<void> {
  const { scope, limitMicroUsd, now } = budget;
  const id = scope === 'provider' ? budget.id : '';
  await database.callAcrossTenants('set_deployment_budget', [scope, id, limitMicroUsd, new Date(now)]);
}

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
    'budget_standing',
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

export interface BudgetAlert {
  /** UTC day, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly scope: 'deployment' | 'tenant' | 'provider';
  /** The tenant's id or the provider's name; empty for the deployment. */
  readonly scopeId: string;
  /** Reached share of the budget in per cent: 70, 90 or 100. */
  readonly threshold: number;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * True for exactly one caller of a day, budget and threshold, also across restarts and a loss of Redis
 * (docs/reference/budgets.md#threshold-alerts-at-70-90-and-100-percent).
 */
export async function fireBudgetAlert(database: Database, alert: BudgetAlert): Promise<boolean> {
  const parameters = [alert.day, alert.scope, alert.scopeId, alert.threshold, new Date(alert.now)];
  return database.callScalarAcrossTenants<boolean>('fire_budget_alert', parameters);
}
