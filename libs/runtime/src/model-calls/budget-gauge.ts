import { type BudgetStore, isEnforced } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { GaugeReading, Metrics } from '@annals/observability';
import { NO_TENANT } from '@annals/storage';
import { toPercent } from './budget-alerts.js';
import { toBudgetDay } from './budget-day.js';
import type { BudgetAdmission } from './budget-admission.js';
import type { SpendingLimitsReader } from './spending-limits.js';

type UtilizationReading = Extract<GaugeReading, { metric: 'memory_llm_budget_utilization_percent' }>;

interface GaugeDependencies {
  readonly budgets: BudgetStore;
  readonly budgetAdmission: Pick<BudgetAdmission, 'rebuild'>;
  readonly limits: SpendingLimitsReader;
  readonly clock: Clock;
}

/** On each Prometheus scrape, so that it is correct also in a process that spends nothing itself. */
export function collectBudgetUtilization(
  metrics: Pick<Metrics, 'collectGauges'>,
  deps: GaugeDependencies,
  providers: readonly string[],
): void {
  metrics.collectGauges(['memory_llm_budget_utilization_percent'], async () => {
    const day = toBudgetDay(deps.clock.now());
    // A day without spend is not loaded either, and a missing series looks like a failed scrape.
    if ((await deps.budgets.read(day, {})) === null) await deps.budgetAdmission.rebuild(day);
    const readings = await Promise.all([...new Set(providers)].map((provider) => readProvider(deps, day, provider)));
    return [...new Map(readings.flat().map((reading) => [reading.labels.provider, reading])).values()];
  });
}

async function readProvider(
  { budgets, limits }: GaugeDependencies,
  day: string,
  provider: string,
): Promise<UtilizationReading[]> {
  const [usage, limit] = await Promise.all([budgets.read(day, { provider }), limits.read(NO_TENANT, provider)]);
  return (['deployment', 'provider'] as const).flatMap((scope): UtilizationReading[] => {
    const limitMicroUsd = limit[scope];
    const spent = usage?.[scope]?.spentMicroUsd;
    if (spent === undefined || !isEnforced(limitMicroUsd)) return [];
    const labels = { scope, provider: scope === 'deployment' ? 'all' : provider };
    return [{ metric: 'memory_llm_budget_utilization_percent', labels, value: toPercent(spent, limitMicroUsd) }];
  });
}
