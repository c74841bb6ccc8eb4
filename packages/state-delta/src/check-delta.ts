import { DeltaReader } from './delta-format.js';

/** How many runs a delta may have that is sent to Annals. */
export const MAX_DELTA_RUNS = 1_000;

export interface DeltaLimits {
  /** Length of the state that the delta is based on. */
  readonly baseBytes: number;
  /** Maximum length of the state that it makes. */
  readonly maxBytes: number;
  /** Maximum number of copied and inserted runs: applying many short ones takes long. */
  readonly maxRuns: number;
}

/**
 * The length of the state that a delta makes, without any state. Throws a RangeError when the delta is truncated, copies
 * from outside of the state that it is based on, or is beyond a limit.
 */
export function checkDelta(delta: Uint8Array, { baseBytes, maxBytes, maxRuns }: DeltaLimits): number {
  const reader = new DeltaReader(delta);
  let length = 0;
  let runs = 0;
  for (let run = reader.next(); run !== null; run = reader.next()) {
    runs += 1;
    if (runs > maxRuns) throw new RangeError(`The delta has more than ${maxRuns} runs.`);
    if (run.kind === 'copy' && run.offset + run.length > baseBytes)
      throw new RangeError('The delta copies from outside of the state that it is based on.');
    length += run.kind === 'copy' ? run.length : run.bytes.length;
    if (length > maxBytes) throw new RangeError(`The delta makes a state of more than ${maxBytes} bytes.`);
  }
  return length;
}
