import { SystemClock } from '@annals/domain';

/** The real time plus a shift in ms, which a test can increase. Timers are due after real time. */
export class ShiftedClock extends SystemClock {
  constructor(private shiftMs = 0) {
    super();
  }

  override now(): number {
    return super.now() + this.shiftMs;
  }

  advance(ms: number): void {
    this.shiftMs += ms;
  }
}
