/**
 * The longest time that a header may keep a fleet away from a provider. Whoever asks for more is asked again after an hour: one
 * wrong header, or a clock that is years off, must not stop all work in silence.
 */
export const LONGEST_WAIT_MS = 3_600_000;

/** A wait as it is kept, in whole ms. */
export function limitWait(ms: number): number {
  return Math.min(Math.ceil(ms), LONGEST_WAIT_MS);
}
