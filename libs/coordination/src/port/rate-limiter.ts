/** Requests and tokens (input and output together) in any minute; null: not limited. */
export interface RateLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** A limit of the provider, as reported in the headers of a response. `resetAt` is epoch ms. */
export interface ObservedLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}
export interface ObservedLimits {
  readonly requests?: ObservedLimit;
  readonly tokens?: ObservedLimit;
  /** From a 429: nothing is admitted before this time, epoch ms. */
  readonly blockedUntil?: number;
}

/** What a call reserves in the limiter of its provider and model. */
export interface RateReservation {
  readonly limiter: string;
  readonly rateReservationId: string;
  /** Epoch ms. */
  readonly now: number;
}

export interface RateRequest extends RateReservation {
  readonly tenantId: string;
  /** Expected tokens of the call, input and output. */
  readonly tokens: number;
  readonly limits: RateLimits;
}

/**
 * `pace`: the projection exceeds 80 % of a limit (docs/reference/rate-limits.md#throttling-above-80-percent), so the
 * remaining capacity is spread over the rest of the minute. `share`: capacity is free, but tenants that used less of
 * this minute are waiting for it.
 */
export type RateRefusal = 'requests' | 'tokens' | 'pace' | 'share' | 'blocked';

export type RateAdmission = { readonly utilizationPercent: number } & (
  { readonly admitted: true } | { readonly admitted: false; readonly reason: RateRefusal; readonly retryInMs: number }
);

/**
 * Paces the calls of the fleet to one provider and model below its limits, fairly between tenants: the first call of a
 * tenant in a minute is not paced, the last call that fits into a minute is reserved for such a tenant, and a tenant
 * that used more yields to refused tenants that used less. A call bigger than the whole limit is admitted alone, when
 * there was no call in the minute before it; tenants that used less than its own tenant still come first.
 *
 * A reservation counts for 60 s from its admission, settled or not. `acquire` with an admitted reservation is admitted
 * again.
 */
export interface RateLimiter {
  acquire(request: RateRequest): Promise<RateAdmission>;
  /** Replaces the expected tokens of a reservation by the tokens that the call used. */
  settle(reservation: RateReservation & { readonly tokens: number }): Promise<void>;
  /** Removes the reservation of a call that was not sent. */
  cancel(reservation: RateReservation): Promise<void>;
  /** From response headers: until its reset, the stricter of configured and reported limit applies. */
  observe(
    observation: Omit<RateReservation, 'rateReservationId'> & { readonly observed: ObservedLimits },
  ): Promise<void>;
}
