import type { Admission, CallOutcome as BreakerReport } from '@annals/coordination';
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
import { modelKeyOf } from './model-limits.js';

interface SettlementDependencies {
  readonly ledger: CallLedger;
  readonly budget: BudgetAdmission;
  readonly circuits: Circuits;
  readonly admission: Admission;
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

/** `gone`: the reconciler was faster. Unless `settled`, it is the reconciler that updates the counters. */
export type WriteOutcome = 'settled' | 'gone' | 'unwritten';

/** Settles calls: first in the ledger, then in breaker, rate limiter and counters, in one step. */
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
    const { admission, budget, circuits, ledger, watch, clock } = this.deps;
    // The reconciler may just have charged the overdue row in full: it compares, and settles the correct amount.
    const mustCount = written === 'settled' && !ledger.isLate(row) && call.maxCostMicroUsd > 0;
    const reservation = { reservationId: row.id, day: row.day, tenantId: row.tenantId, provider: row.provider };
    const key = modelKeyOf(call);
    const tokens = usage.inputTokens + usage.outputTokens;
    const closed = await watch.tryRun('admission', () =>
      admission.close({
        now: clock.now(),
        breaker: { circuit: key, reservation: circuitReservation, outcome: breaker },
        // A call without known usage keeps its expected tokens.
        ...(tokens > 0 && { rate: { limiter: key, rateReservationId, tokens } }),
        ...(observed && { observed: { limiter: key, limits: observed } }),
        ...(mustCount && { budget: { ...reservation, costMicroUsd } }),
      }),
    );
    circuits.reportTransition(call, closed?.transition);
    await budget.checkAlerts(reservation, closed?.settled);
  }
}

/** Limits reported by a failure: its headers, or at least the end of the block by a 429. */
export function extractObservedLimits(error: LLMError, now: number): RateLimitReport | undefined {
  const { type, rateLimits, retryAfterMs } = error;
  if (type !== 'rate_limit' || retryAfterMs === undefined || rateLimits?.blockedUntil !== undefined) return rateLimits;
  return { ...rateLimits, blockedUntil: now + retryAfterMs };
}
