import type { ExponentialBackoff } from '@annals/contracts';
import { computeRetryDelayMs, type Rng } from '@annals/domain';

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
  const { delayMs, jitter } = backoff;
  const chance = rng.nextFloat();
  const ownMs = computeRetryDelayMs({ firstMs: delayMs, jitter }, attempt - 1, { nextFloat: () => chance });
  if (retryAfterMs === undefined || retryAfterMs <= ownMs) return Math.round(ownMs);
  return Math.round(retryAfterMs + delayMs * jitter * chance);
}
