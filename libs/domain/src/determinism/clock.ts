/** Injected, so that every time-dependent rule can be tested (docs/reference/determinism.md#injected-clock). */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** A clock that only changes by `reset` and `advance` (docs/reference/determinism.md#injected-clock). */
export class ManualClock implements Clock {
  constructor(private currentMs: number = 0) {}

  now(): number {
    return this.currentMs;
  }

  reset(valueMs: number): void {
    this.currentMs = valueMs;
  }

  /** Moves the time forward (or back, when negative) by milliseconds. */
  advance(ms: number): void {
    this.currentMs += ms;
  }
}
