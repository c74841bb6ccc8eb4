import type { ExponentialBackoff } from '@annals/contracts';
import type { Rng } from '@annals/domain';

const MAX_DOUBLINGS = 30;

/**
 * Delay in ms after failed attempt number `attempt` (from 1): `delayMs · 2^(attempt-1)`, of which the share `jitter` is
 * random (as BullMQ defines jitter). A longer `retryAfterMs` takes precedence, with jitter on top, so that jobs with
 * the same retry time do not run at the same time.
 */
export function computeBackoffMs(
  backoff: ExponentialBackoff,
  attempt: number,
  retryAfterMs: number | undefined,
  rng: Rng,
): number {
  const maxMs = backoff.delayMs * 2 ** Math.min(attempt - 1, MAX_DOUBLINGS);
  const chance = rng.nextFloat();
  const ownMs = maxMs * (1 - backoff.jitter * chance);
  if (retryAfterMs === undefined || retryAfterMs <= ownMs) return Math.round(ownMs);
  return Math.round(retryAfterMs + backoff.delayMs * backoff.jitter * chance);
}
