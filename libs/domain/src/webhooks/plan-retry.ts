import type { Rng } from '../determinism/rng.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Between an attempt and the next, as the specification of Standard Webhooks recommends; ten attempts with the first. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** From the first failure until an event is given up: 75.6 hours. */
export const GIVE_UP_AFTER_MS = DELAYS_MS.reduce<number>((sum, delayMs) => sum + delayMs, 0);

/** Share of a delay that is random, so that the feeds of an endpoint do not come back at once. */
const JITTER = 0.1;

/** What a receiver may ask for at most. */
const MAX_RETRY_AFTER_MS = HOUR_MS;

export interface FailedAttempt {
  /** How many there were, this one included. */
  readonly attempts: number;
  /** Epoch ms of the first failure. */
  readonly firstFailedAt: number;
  /** Epoch ms. */
  readonly now: number;
  /** How long the receiver asked to be left alone, in ms. */
  readonly retryAfterMs: number | null;
}

/**
 * When to send an event again, in epoch ms; null: it is given up, after as many attempts as there are delays and no
 * earlier than these take together, so that attempts which came early because the endpoint had recovered do not count.
 */
export function planRetry({ attempts, firstFailedAt, now, retryAfterMs }: FailedAttempt, rng: Rng): number | null {
  const endsAt = firstFailedAt + GIVE_UP_AFTER_MS * (1 - JITTER);
  if (attempts > DELAYS_MS.length && now >= endsAt) return null;
  const scheduledMs = DELAYS_MS[attempts - 1];
  // What is left, exactly: shortened at random, it would be followed by ever shorter ones.
  const leftMs = Math.min(endsAt - now, DELAYS_MS.at(-1)!);
  const delayMs = scheduledMs === undefined ? leftMs : scheduledMs * (1 - JITTER * rng.nextFloat());
  return now + Math.ceil(Math.max(delayMs, limitRetryAfter(retryAfterMs) ?? 0));
}

/** How long an endpoint is left alone that asked for it, in ms. */
export function limitRetryAfter(retryAfterMs: number | null): number | null {
  return retryAfterMs === null ? null : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}

const DELAY_SECONDS = /^\d{1,9}$/;
/** As HTTP writes dates: `Mon, 05 Jan 2026 09:00:00 GMT`. */
const HTTP_DATE = /^\w{3},.* GMT$/;

/** The header `Retry-After`, a number of seconds or a date (RFC 9110 §10.2.3), in ms from now; null for anything else. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (DELAY_SECONDS.test(header)) return Number(header) * SECOND_MS;
  const at = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
