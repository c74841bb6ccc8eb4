/** Requests and tokens (input and output together) in any minute; null: not limited. */
export interface RateLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** What a provider said about its own limits in the headers of an answer. `resetAt` is epoch ms. */
export interface ObservedLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}
export interface ObservedLimits {
  readonly requests?: ObservedLimit;
  readonly tokens?: ObservedLimit;
  /** From a 429: nothing is admitted before, epoch ms. */
  readonly blockedUntil?: number;
}

export interface RateRequest {
  /** Provider and model. */
  readonly limiter: string;
  readonly rateReservationId: string;
  readonly tenantId: string;
  /** Expected tokens of the call, input and output. */
  readonly tokens: number;
  readonly limits: RateLimits;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * `pace`: the projection passed 80 % of a limit (docs/reference/rate-limits.md#throttling-above-80-percent), so what is
 * left of the minute is spread over it. `share`: there is room, but tenants that had less in this minute are waiting
 * for it.
 */
export type RateRefusal = 'requests' | 'tokens' | 'pace' | 'share' | 'blocked';

export type RateAdmission =
  | { readonly admitted: true; readonly utilizationPercent: number }
  | {
      readonly admitted: false;
      readonly reason: RateRefusal;
      readonly retryInMs: number;
      readonly utilizationPercent: number;
    };

/**
 * Paces the fleet's calls to one provider and model below its limits, fairly between tenants: a tenant's first call of the
 * minute is not paced, the last one that fits into a minute is kept for such a tenant, and who had more makes way for those
 * that were refused and had less. A call bigger than the whole limit is admitted alone, when the minute before it was
 * empty; tenants that had less than its own still come first.
 *
 * A reservation counts for 60 s from its admission, settled or not. Asking again with an admitted reservation is admitted again.
 */
export interface RateLimiter {
  acquire(request: RateRequest): Promise<RateAdmission>;
  /** Corrects a reservation's tokens to what the call used. */
  settle(reservation: {
    readonly limiter: string;
    readonly rateReservationId: string;
    readonly tokens: number;
    readonly now: number;
  }): Promise<void>;
  /** The call was not sent: as if it had never been admitted. */
  cancel(reservation: {
    readonly limiter: string;
    readonly rateReservationId: string;
    readonly now: number;
  }): Promise<void>;
  /** Learns from headers: the stricter of what is configured and what the provider says holds until its reset. */
  observe(observation: {
    readonly limiter: string;
    readonly observed: ObservedLimits;
    readonly now: number;
  }): Promise<void>;
}
