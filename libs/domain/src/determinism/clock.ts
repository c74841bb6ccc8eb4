/** Wall-clock time, injected so that every time-dependent rule can be tested (ALG §10). */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}
