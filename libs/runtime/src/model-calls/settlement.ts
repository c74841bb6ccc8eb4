import type { CallOutcome as BreakerReport, ObservedLimits, RateLimiter } from '@annals/coordination';
import type { LLMError, RateLimitReport } from '@annals/llm-core';
import type { Clock } from '@annals/domain';
import type { CallSettlement } from '@annals/storage';
import type { AdmittedCall } from './admission-controller.js';
import type { BudgetAdmission } from './budget-admission.js';
import type { CallReporter } from './call-reporter.js';
import type { Circuits } from './circuits.js';
import type { CoordinationWatch } from './coordination-watch.js';
import type { CallLedger } from './ledger.js';
import type { ModelCall } from './model-calls.js';
import { buildModelKey } from './model-limits.js';

interface SettlementDependencies {
  readonly ledger: CallLedger;
  readonly budget: BudgetAdmission;
  readonly circuits: Circuits;
  readonly rateLimiter: RateLimiter;
  readonly watch: CoordinationWatch;
  readonly reporter: CallReporter;
  readonly clock: Clock;
}

/** What the end of a call reports to breaker and rate limiter. */
export interface CallEnd {
  readonly breaker: BreakerReport;
  /** Limits that the provider reported. */
  readonly observed: RateLimitReport | undefined;
}

/**
 * `gone`: the reconciler was faster; `unwritten`: the database is unreachable. In both cases the reconciler updates the
 * budget counters.
 */
export type WriteOutcome = 'settled' | 'gone' | 'unwritten';

/** Settles calls: first in the ledger, then in breaker, rate limiter and counters, concurrently. */
export class Settlement {
  constructor(private readonly deps: SettlementDependencies) {}

  /** Writes the settlement in a transaction of its own. Never throws. */
  async write(call: ModelCall<unknown>, settlement: CallSettlement): Promise<WriteOutcome> {
    const { ledger, reporter } = this.deps;
    try {
      return await ledger.settle(call.tenantId, settlement);
    } catch (error) {
      reporter.unsettled(call, settlement.reservationId, error);
      return 'unwritten';
    }
  }

  /** Reports the end of the call to breaker, rate limiter and counters. Never throws. */
  async notify(
    call: ModelCall<unknown>,
    { circuitReservation, rateReservationId, row }: AdmittedCall,
    { usage, costMicroUsd }: CallSettlement,
    { breaker, observed }: CallEnd,
    written: WriteOutcome,
  ): Promise<void> {
    const { budget, circuits, ledger } = this.deps;
    // The reconciler may just have charged the overdue row in full: it compares, and settles the correct amount.
    const isLate = ledger.isLate(row);
    const mustCount = written === 'settled' && !isLate && call.maxCostMicroUsd > 0;
    const reservation = { reservationId: row.id, day: row.day, tenantId: row.tenantId, provider: row.provider };
    await Promise.all([
      circuits.report(call, circuitReservation, breaker),
      this.settleRates(call, rateReservationId, usage.inputTokens + usage.outputTokens),
      this.observe(call, observed),
      mustCount ? budget.settle(reservation, costMicroUsd) : undefined,
    ]);
  }

  /** A call without known usage keeps its expected tokens. */
  private async settleRates(call: ModelCall<unknown>, rateReservationId: string, tokens: number): Promise<void> {
    const { watch, rateLimiter, clock } = this.deps;
    if (tokens === 0) return;
    await watch.tryRun('rates', () =>
      rateLimiter.settle({ limiter: modelKeyOf(call), rateReservationId, tokens, now: clock.now() }),
    );
  }

  private async observe(call: ModelCall<unknown>, observed: ObservedLimits | undefined): Promise<void> {
    const { watch, rateLimiter, clock } = this.deps;
    if (!observed) return;
    await watch.tryRun('rates', () => rateLimiter.observe({ limiter: modelKeyOf(call), observed, now: clock.now() }));
  }
}

/** Limits reported by a failure: its headers, or at least the end of the block by a 429. */
export function extractObservedLimits(error: LLMError, now: number): RateLimitReport | undefined {
  const { type, rateLimits, retryAfterMs } = error;
  if (type !== 'rate_limit' || retryAfterMs === undefined || rateLimits?.blockedUntil !== undefined) return rateLimits;
  return { ...rateLimits, blockedUntil: now + retryAfterMs };
}

function modelKeyOf({ provider, model }: ModelCall<unknown>): string {
  return buildModelKey(provider, model);
}
