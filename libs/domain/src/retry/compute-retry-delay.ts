import type { Rng } from '../determinism/rng.js';

export interface RetryDelay {
  /** Delay before the first retry, in ms. */
  readonly firstMs: number;
  /** The delay never exceeds this, in ms. Default: no cap. */
  readonly maxMs?: number;
  /** Share of the delay that is random, 0 to 1, as BullMQ defines jitter. Default 0. */
  readonly jitter?: number;
}

/** Keeps the delay a finite number of ms, however many retries there were. */
const MAX_DOUBLINGS = 30;

/**
 * The delay in ms before retry `retry` (0 for the first): `min(firstMs · 2^retry, maxMs)`, of which the share `jitter`
 * is random, so that a fleet does not retry at once. Not rounded; `rng` is used only with jitter.
 */
export function computeRetryDelayMs(
  { firstMs, maxMs = Infinity, jitter = 0 }: RetryDelay,
  retry: number,
  rng?: Rng,
): number {
  const delayMs = Math.min(firstMs * 2 ** Math.min(retry, MAX_DOUBLINGS), maxMs);
  return rng ? delayMs * (1 - jitter * rng.nextFloat()) : delayMs;
}
