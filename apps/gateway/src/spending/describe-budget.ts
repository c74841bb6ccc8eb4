import type { Budget } from '@annals/contracts';
import { findNextBudgetDay, toBudgetDay } from '@annals/runtime';

/** A limit of zero or less is none (docs/reference/budgets.md#a-limit-of-zero-disables-a-budget). */
export interface BudgetFigures {
  readonly overrideMicroUsd: number | null;
  readonly configuredMicroUsd: number | null;
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

/** A budget as the API returns it. `budget_utilization` is rounded to two decimals, as in the logs. */
export function describeBudget(figures: BudgetFigures, now: number): Budget {
  const { overrideMicroUsd, configuredMicroUsd, spentMicroUsd, reservedMicroUsd } = figures;
  const limit = toLimit(overrideMicroUsd ?? configuredMicroUsd);
  return {
    day: toBudgetDay(now),
    daily_limit_micro_usd: limit,
    source: overrideMicroUsd === null ? 'configuration' : 'api',
    spent_micro_usd: spentMicroUsd,
    reserved_micro_usd: reservedMicroUsd,
    budget_utilization: limit === null ? null : Math.round((spentMicroUsd / limit) * 10_000) / 100,
    resets_at: new Date(findNextBudgetDay(now)).toISOString(),
  };
}

/** The log fields of a changed limit, in which 0 means no limit as in the API; null when nothing changed. */
export function describeChange(
  before: number | null,
  after: number | null,
): { readonly fromMicroUSD: number; readonly toMicroUSD: number } | null {
  const [fromMicroUSD, toMicroUSD] = [toLimit(before) ?? 0, toLimit(after) ?? 0];
  return fromMicroUSD === toMicroUSD ? null : { fromMicroUSD, toMicroUSD };
}

/** Whether a change of the limit allows more spending, so that deferred batches can be resumed. */
export function isRaised(before: number | null, after: number | null): boolean {
  const [from, to] = [toLimit(before), toLimit(after)];
  return from !== null && (to === null || to > from);
}

function toLimit(limit: number | null): number | null {
  return limit === null || limit <= 0 ? null : limit;
}
