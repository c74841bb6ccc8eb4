import type { Budget } from '@annals/contracts';
import { findNextBudgetDay, toBudgetDay } from '@annals/runtime';

/**
 * Where the money of one budget stands. Limits of zero or less set none
 * (docs/reference/budgets.md#a-limit-of-zero-disables-a-budget).
 */
export interface BudgetFigures {
  /** Set by the API, or null. */
  readonly overrideMicroUsd: number | null;
  /** From the configuration, or null. */
  readonly configuredMicroUsd: number | null;
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

/** A budget as the API shows it. `budget_utilization` is rounded to two decimals, as in the logs. */
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

/** What the log says of a change of a limit, which 0 means none for as in the API; null when nothing changed. */
export function describeChange(
  before: number | null,
  after: number | null,
): { readonly fromMicroUSD: number; readonly toMicroUSD: number } | null {
  const [fromMicroUSD, toMicroUSD] = [toLimit(before) ?? 0, toLimit(after) ?? 0];
  return fromMicroUSD === toMicroUSD ? null : { fromMicroUSD, toMicroUSD };
}

/** Whether a change of the limit makes room for work that waits. */
export function isRaised(before: number | null, after: number | null): boolean {
  const [from, to] = [toLimit(before), toLimit(after)];
  return from !== null && (to === null || to > from);
}

function toLimit(limit: number | null): number | null {
  return limit === null || limit <= 0 ? null : limit;
}
