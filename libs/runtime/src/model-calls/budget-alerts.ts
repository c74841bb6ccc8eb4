import { BUDGET_SCOPES, type BudgetLimits, type BudgetScope, isEnforced } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { type Database, fireBudgetAlert } from '@annals/storage';
import { toBudgetDay } from './budget-day.js';

/** Percent of a budget (docs/reference/budgets.md#threshold-alerts-at-70-90-and-100-percent). */
const THRESHOLDS = ['70', '90', '100'] as const;
type Threshold = (typeof THRESHOLDS)[number];

/** The gauge's label `provider` of the deployment's budget. */
const DEPLOYMENT_LABEL = 'all';

/** The budgets that a call is charged to. */
export interface Spender {
  readonly day: string;
  readonly tenantId: string;
  readonly provider: string;
}

/** Spend of a day by scope, in micro-USD; scopes that are left out are not checked. */
export type SpentByScope = Readonly<Partial<Record<BudgetScope, number>>>;

interface AlertDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'set' | 'inc'>;
}

/**
 * Threshold alerts of budgets: each threshold once per UTC day and budget over all processes and restarts, since the
 * database assigns it to exactly one caller. Every check compares the spend with all thresholds, not with the previous
 * spend, so that an alert that was lost in a crash is raised by the next call.
 */
export class BudgetAlerts {
  /** Alerts of `day` that this process need not check in the database again. */
  private readonly checked = new Set<string>();
  /** The values of the utilization gauge of `day`, by its label `provider`. */
  private readonly utilization = new Map<string, number>();
  private day = '';

  constructor(private readonly deps: AlertDependencies) {}

  /** Sets the gauges, then raises the due alerts. Never throws: a failed check is repeated by the next call. */
  async check(spender: Spender, spent: SpentByScope, limits: BudgetLimits): Promise<void> {
    if (spender.day > this.day) {
      this.day = spender.day;
      this.checked.clear();
      this.utilization.clear();
    }
    for (const scope of BUDGET_SCOPES) {
      const spentMicroUsd = spent[scope];
      const limitMicroUsd = limits[scope];
      if (spentMicroUsd === undefined || !isEnforced(limitMicroUsd)) continue;
      const usage = { scope, scopeId: getScopeId(scope, spender), spentMicroUsd, limitMicroUsd };
      this.setUtilizationGauge(spender, usage);
      await this.fireDue(spender, usage);
    }
  }

  private setUtilizationGauge({ day, provider }: Spender, { scope, spentMicroUsd, limitMicroUsd }: BudgetUsage): void {
    // A call of yesterday may settle today: the gauge shows only the current day.
    if (scope === 'tenant' || day !== this.day) return;
    const label = scope === 'deployment' ? DEPLOYMENT_LABEL : provider;
    const percent = toPercent(spentMicroUsd, limitMicroUsd);
    this.utilization.set(label, percent);
    this.deps.metrics.set('memory_llm_budget_utilization_percent', percent, { scope, provider: label });
  }

  /**
   * Percent that the gauge shows for the budgets of a call, the higher one of deployment and provider; undefined before
   * this process has set it for the day, and without such a budget.
   */
  readUtilization(provider: string): number | undefined {
    if (toBudgetDay(this.deps.clock.now()) !== this.day) return undefined;
    const percents = [DEPLOYMENT_LABEL, provider].flatMap((label) => this.utilization.get(label) ?? []);
    return percents.length === 0 ? undefined : Math.max(...percents);
  }

  private async fireDue(spender: Spender, usage: BudgetUsage): Promise<void> {
    for (const threshold of THRESHOLDS) {
      // Whole numbers, so that exactly 70 % counts as reached and is not missed by rounding.
      if (usage.spentMicroUsd * 100 < usage.limitMicroUsd * Number(threshold)) return;
      const key = `${spender.day} ${usage.scope} ${usage.scopeId} ${threshold}`;
      if (this.checked.has(key)) continue;
      this.checked.add(key);
      try {
        await this.fire(spender, usage, threshold);
      } catch {
        this.checked.delete(key);
      }
    }
  }

  private async fire({ day }: Spender, usage: BudgetUsage, threshold: Threshold): Promise<void> {
    const { database, clock, logger, metrics } = this.deps;
    const { scope, scopeId, spentMicroUsd, limitMicroUsd } = usage;
    const isFirst = await fireBudgetAlert(database, {
      day,
      scope,
      scopeId,
      threshold: Number(threshold),
      now: clock.now(),
    });
    if (!isFirst) return;
    metrics.inc('memory_llm_budget_alerts_total', { scope, threshold });
    logger.warn('budget_threshold', {
      budgetUtilization: toPercent(spentMicroUsd, limitMicroUsd),
      spentUSD: spentMicroUsd / 1_000_000,
      budgetUSD: limitMicroUsd / 1_000_000,
      day,
      scope,
      scopeId,
      threshold: Number(threshold),
    });
  }
}

interface BudgetUsage {
  readonly scope: BudgetScope;
  readonly scopeId: string;
  readonly spentMicroUsd: number;
  readonly limitMicroUsd: number;
}

/** Full precision; logs show two decimals. */
export function toPercent(spentMicroUsd: number, limitMicroUsd: number): number {
  return (spentMicroUsd / limitMicroUsd) * 100;
}

function getScopeId(scope: BudgetScope, { tenantId, provider }: Spender): string {
  switch (scope) {
    case 'deployment':
      return 'deployment';
    case 'tenant':
      return tenantId;
    case 'provider':
      return provider;
  }
}
