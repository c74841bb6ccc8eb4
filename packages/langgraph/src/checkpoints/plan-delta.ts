import { checkDelta, diffStates, MAX_DELTA_RUNS } from '@annals/state-delta';
import type { CachedState } from './state-cache.js';

/** Null when the delta is not worth it: half of the state is new, or it is of many small parts. */
export function planDelta(last: CachedState | undefined, bytes: Buffer): { base: string; data: string } | null {
  if (!last?.takesDelta) return null;
  const delta = diffStates(last.bytes, bytes);
  if (delta.length > bytes.length / 2) return null;
  try {
    checkDelta(delta, { baseBytes: last.bytes.length, maxBytes: bytes.length, maxRuns: MAX_DELTA_RUNS });
  } catch {
    return null;
  }
  return { base: last.version, data: delta.toString('base64') };
}
