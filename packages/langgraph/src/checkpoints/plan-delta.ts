import { checkDelta, diffStates, MAX_DELTA_RUNS } from '@annals/state-delta';
import type { CachedState } from './state-cache.js';

/** The delta to the last state; null when it is not worth it: half of the state is new, or it is of many small parts. */
export function planDelta(last: CachedState, bytes: Buffer): Buffer | null {
  if (!last.takesDelta) return null;
  const delta = diffStates(last.bytes, bytes);
  if (delta.length > bytes.length / 2) return null;
  try {
    checkDelta(delta, { baseBytes: last.bytes.length, maxBytes: bytes.length, maxRuns: MAX_DELTA_RUNS });
  } catch {
    return null;
  }
  return delta;
}
