import { ConflictError, type PutLangGraphCheckpoint } from '@annals/sdk';
import { checkDelta, diffStates, MAX_DELTA_RUNS } from '@annals/state-delta';
import type { CachedState } from './state-cache.js';

/** What is sent of a state: how it differs from the last one, or all of it. */
type Sent = Pick<PutLangGraphCheckpoint, 'state'> | Pick<PutLangGraphCheckpoint, 'delta'>;

/**
 * Sends a state as a delta to the last one where that is shorter, and whole when the server does not have that one as its
 * last any more: another process has saved since.
 */
export async function sendState<Answer>(
  text: string,
  bytes: Buffer,
  last: CachedState | undefined,
  send: (state: Sent) => Promise<Answer>,
): Promise<Answer> {
  const delta = last?.takesDelta ? planDelta(last, bytes) : null;
  if (delta) {
    try {
      return await send({ delta });
    } catch (error) {
      if (!(error instanceof ConflictError) || error.code !== 'version_conflict') throw error;
    }
  }
  return send({ state: text });
}

/** Null when the delta is not worth it: half of the state is new, or it is of many small parts. */
function planDelta(last: CachedState, bytes: Buffer): { base: string; data: string } | null {
  const delta = diffStates(last.bytes, bytes);
  if (delta.length > bytes.length / 2) return null;
  try {
    checkDelta(delta, { baseBytes: last.bytes.length, maxBytes: bytes.length, maxRuns: MAX_DELTA_RUNS });
  } catch {
    return null;
  }
  return { base: last.version, data: delta.toString('base64') };
}
