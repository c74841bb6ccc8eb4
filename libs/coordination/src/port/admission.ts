import type { BudgetReservation, ReserveOutcome, ReserveRequest, SettleOutcome } from './budget-store.js';
import type { BreakerAdmission, CallOutcome, CircuitTransition } from './circuit-breaker.js';
import type { ObservedLimits, RateAdmission, RateRequest } from './rate-limiter.js';

/** A call that asks to be admitted. */
export interface AdmitRequest {
  readonly circuit: string;
  /** Its `now` is the time for the circuit breaker as well. */
  readonly rate: RateRequest;
  /** For an optional call: it yields when the rate limiter's utilisation is above this. Left out: it never yields. */
  readonly yieldAbovePercent?: number;
  /** Left out: no budget is checked. */
  readonly budget?: ReserveRequest;
}

type GrantedBreaker = Extract<BreakerAdmission, { admitted: true }>;
type RefusedBreaker = Extract<BreakerAdmission, { admitted: false }>;
type GrantedRate = Extract<RateAdmission, { admitted: true }>;
type RefusedRate = Extract<RateAdmission, { admitted: false }>;

/**
 * What each part answered, up to the first one that refused. `yield`: the rate limiter had capacity, but the call
 * yielded it. The breaker's answer may have a transition in every case.
 */
export type AdmitOutcome =
  | { readonly outcome: 'admitted'; readonly breaker: GrantedBreaker; readonly rate: GrantedRate }
  | ({ readonly outcome: 'refused' } & (
      | { readonly by: 'breaker'; readonly breaker: RefusedBreaker; readonly rate?: undefined }
      | { readonly by: 'rates'; readonly breaker: GrantedBreaker; readonly rate: RefusedRate }
      | { readonly by: 'yield'; readonly breaker: GrantedBreaker; readonly rate: GrantedRate }
      | {
          readonly by: 'budgets';
          readonly breaker: GrantedBreaker;
          readonly rate: GrantedRate;
          /** `stale` too: rebuild the day, then ask again. */
          readonly budget: Exclude<ReserveOutcome, { outcome: 'admitted' }>;
        }
    ));

/** The end of a call. What is left out stays as it is. `now` is epoch ms. */
export interface CloseRequest {
  readonly now: number;
  readonly breaker?: { readonly circuit: string; readonly reservation: string; readonly outcome: CallOutcome };
  /** `tokens`: what the call used; null when it was not sent, which cancels its reservation. */
  readonly rate?: { readonly limiter: string; readonly rateReservationId: string; readonly tokens: number | null };
  readonly observed?: { readonly limiter: string; readonly limits: ObservedLimits };
  /** `costMicroUsd`: what the call cost; null when it was not sent, which cancels its reservation. */
  readonly budget?: BudgetReservation & { readonly costMicroUsd: number | null };
}

export interface CloseOutcome {
  readonly transition: CircuitTransition | null;
  /** Of a budget that was settled. */
  readonly settled?: SettleOutcome;
}

/**
 * Circuit breaker, rate limiter and budgets of one call in one step each way: exactly what their single steps do one
 * after the other. On Redis each is one round trip and atomic.
 */
export interface Admission {
  /**
   * Asks the circuit breaker, the rate limiter and the budgets, in this order. When one refuses, those before it get
   * their reservations back: the rate limiter by `cancel`, the breaker by `abandoned`.
   */
  admit(request: AdmitRequest): Promise<AdmitOutcome>;
  /** Reports to the breaker, settles or cancels in rate limiter and budgets, records the provider's limits. */
  close(request: CloseRequest): Promise<CloseOutcome>;
}
