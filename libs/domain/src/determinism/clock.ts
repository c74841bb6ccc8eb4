/**
 * Wall-clock time, injected so that every time-dependent rule can be tested
 * (docs/reference/determinism.md#injected-clock).
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}
