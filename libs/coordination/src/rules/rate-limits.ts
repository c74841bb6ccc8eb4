import type { ObservedLimit, RateLimits } from '../port/rate-limiter.js';
import { assertAmount } from './assert-amount.js';

export const RATE_WINDOW_MS = 60_000;

/** A provider's word about a limit: when it was tracked and what was admitted since. */
export interface TrackedLimit extends ObservedLimit {
  readonly observedAt: number;
  usedSince: number;
}

/** One limit as it holds now: its height, and how much may still be admitted. */
export interface Capacity {
  readonly limit: number;
  readonly free: number;
  /** ms until `free` covers `amount` by the provider's refilling alone; 0 when it does or the provider said nothing. */
  msUntil(amount: number): number;
}

/**
 * The stricter of what is configured and what the provider said, which holds until its reset. Providers refill
 * steadily and name as reset the moment of being full, so what they have left grows in a straight line up to then.
 */
export function computeCapacity(
  configured: number | null,
  tracked: TrackedLimit | undefined,
  used: number,
  now: number,
): Capacity | null {
  if (!tracked || tracked.resetAt <= tracked.observedAt || now >= tracked.resetAt) {
    return configured === null ? null : { limit: configured, free: configured - used, msUntil: () => 0 };
  }
  const limit = configured === null ? tracked.limit : Math.min(configured, tracked.limit);
  const refillPerMs = (tracked.limit - tracked.remaining) / (tracked.resetAt - tracked.observedAt);
  const left = tracked.remaining + refillPerMs * (now - tracked.observedAt) - tracked.usedSince;
  return {
    limit,
    free: Math.min(limit - used, left),
    msUntil: (amount) => {
      if (amount <= left) return 0;
      const untilReset = tracked.resetAt - now;
      return refillPerMs > 0 ? Math.min(untilReset, (amount - left) / refillPerMs) : untilReset;
    },
  };
}

/** Takes a provider's header as it is, within reason: `remaining` between 0 and `limit`. */
export function trackLimit(observed: ObservedLimit, now: number): TrackedLimit {
  const limit = Math.max(0, observed.limit);
  const remaining = Math.min(Math.max(0, observed.remaining), limit);
  return { limit, remaining, resetAt: observed.resetAt, observedAt: now, usedSince: 0 };
}

/** @throws RangeError naming the limit that is neither null nor a whole number above 0. */
export function assertRateLimits(limits: RateLimits): void {
  for (const field of ['requestsPerMinute', 'tokensPerMinute'] as const) {
    const limit = limits[field];
    if (limit === null) continue;
    assertAmount(field, limit);
    if (limit === 0) throw new RangeError(`${field} must be above 0, or null for no limit.`);
  }
}
