/**
 * Maximum time in ms (one hour) for which a header may stop all calls to a provider. A longer wait is clamped, because
 * one wrong header or a clock that is years off must not stop all work unnoticed.
 */
const MAX_WAIT_MS = 3_600_000;

/** Rounds a wait up to whole ms and clamps it to `MAX_WAIT_MS`. */
export function clampWaitMs(ms: number): number {
  return Math.min(Math.ceil(ms), MAX_WAIT_MS);
}
