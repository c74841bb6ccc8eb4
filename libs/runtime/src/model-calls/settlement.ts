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

/** What the end of a call says to the others. */
export interface CallEnd {
  readonly breaker: BreakerReport;
  /** What the provider told about its limits. */
  readonly observed: RateLimitReport | undefined;
}

/** `gone`: the reconciler was faster; `unwritten`: the database is away. The counters of money are then its business. */
export type WriteOutcome = 'settled' | 'gone' | 'unwritten';

/** Brings calls to their end: first the ledger, then breaker, rate limiter and counters, which must not wait for each other. */
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

  /** Tells everyone else. Never throws. */
  async notify(
    call: ModelCall<unknown>,
    { circuitReservation, rateReservationId, row }: AdmittedCall,
    { usage, costMicroUsd }: CallSettlement,
    { breaker, observed }: CallEnd,
    written: WriteOutcome,
  ): Promise<void> {
    const { budget, circuits, ledger } = this.deps;
    // So late, the reconciler may have charged the row in full just before: it compares and settles what is right.
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

  /** A call of which no tokens are known keeps those that were expected. */
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

/** What a failure tells about the provider's limits: its headers, or at least until when a 429 keeps us out. */
export function extractObservedLimits(error: LLMError, now: number): RateLimitReport | undefined {
  const { type, rateLimits, retryAfterMs } = error;
  if (type !== 'rate_limit' || retryAfterMs === undefined || rateLimits?.blockedUntil !== undefined) return rateLimits;
  return { ...rateLimits, blockedUntil: now + retryAfterMs };
}

function modelKeyOf({ provider, model }: ModelCall<unknown>): string {
  return buildModelKey(provider, model);
}
