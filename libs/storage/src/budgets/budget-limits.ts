import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { type BudgetAlertEntity, BudgetEntity, type DeploymentBudgetEntity } from '../entities/budget.entity.js';

/**
 * Daily limits set at run time, in micro-USD; scopes that are missing here use the configured limit. Zero: not
 * enforced.
 */
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
  await database.callAcrossTenants('set_deployment_budget($1, $2, $3, $4)', [
    budget.scope,
    budget.scope === 'provider' ? budget.id : '',
    budget.limitMicroUsd,
    new Date(budget.now),
  ]);
}
