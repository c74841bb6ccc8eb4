import { computeRetryDelayMs, type Rng } from '@annals/domain';

/** See docs/reference/model-calls.md#backoff-with-jitter. */
const BACKOFF = { firstMs: 500, maxMs: 8_000 };
const JITTER_MS = 200;

/**
 * The delay before retry `attempt` (0 for the first), in ms: `min(500·2^attempt, 8000)` plus a uniform jitter of whole
 * milliseconds from −200 to 200, never below 0.
 */
export function computeBackoffMs(attempt: number, rng: Rng): number {
  const jitterMs = Math.floor(rng.nextFloat() * (2 * JITTER_MS + 1)) - JITTER_MS;
  return Math.max(0, computeRetryDelayMs(BACKOFF, attempt) + jitterMs);
}
