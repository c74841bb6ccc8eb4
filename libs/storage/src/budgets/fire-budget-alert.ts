import type { Database } from '../database/database.js';

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
  return database.callScalarAcrossTenants<boolean>('fire_budget_alert($1, $2, $3, $4, $5)', [
    alert.day,
    alert.scope,
    alert.scopeId,
    alert.threshold,
    new Date(alert.now),
  ]);
}
