import type { ObservedLimit } from '../port/rate-limiter.js';

export const RATE_WINDOW_MS = 60_000;

/** A limit reported by a provider: when it was observed and what was admitted since. */
export interface TrackedLimit extends ObservedLimit {
  readonly observedAt: number;
  usedSince: number;
}

/** One limit as it applies now, and how much may still be admitted. */
export interface Capacity {
  readonly limit: number;
  readonly free: number;
  /** ms until `free` covers `amount` by the provider's refill alone; 0 without a reported limit. */
  msUntil(amount: number): number;
}

/**
 * The stricter of the configured limit and the reported one, which applies until its reset. Providers refill steadily
 * and report as reset the time when the limit is full again, so the remaining capacity grows linearly until then.
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

/** Clamps a reported limit: `limit` to at least 0, `remaining` between 0 and `limit`. */
export function trackLimit(observed: ObservedLimit, now: number): TrackedLimit {
  const limit = Math.max(0, observed.limit);
  const remaining = Math.min(Math.max(0, observed.remaining), limit);
  return { limit, remaining, resetAt: observed.resetAt, observedAt: now, usedSince: 0 };
}
