/**
 * The longest time for which a header may stop all calls to a provider. A longer wait ends after an hour: one
 * wrong header, or a clock that is years off, must not stop all work in silence.
 */
export const MAX_WAIT_MS = 3_600_000;

/** A wait as it is kept, in whole ms. */
export function clampWaitMs(ms: number): number {
  return Math.min(Math.ceil(ms), MAX_WAIT_MS);
}
