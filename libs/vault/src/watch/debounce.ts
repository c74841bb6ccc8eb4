import type { Clock, Timer } from '@annals/domain';

/** In ms. */
export interface DebounceLimits {
  /** Behind the last change. */
  readonly quietMs: number;
  /** Behind the first change, however many follow. */
  readonly maxMs: number;
}

interface Waiting {
  readonly quiet: Timer;
  readonly latest: Timer;
}

/** Makes one of many changes of the same thing. */
export class Debounce {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly clock: Pick<Clock, 'startTimer'>,
    private readonly limits: DebounceLimits,
    private readonly onDue: (key: string) => void,
  ) {}

  touch(key: string): void {
    const known = this.waiting.get(key);
    if (known) return known.quiet.restart();
    const fire = () => {
      this.drop(key);
      this.onDue(key);
    };
    const { quietMs, maxMs } = this.limits;
    this.waiting.set(key, {
      quiet: this.clock.startTimer(quietMs, fire),
      latest: this.clock.startTimer(maxMs, fire),
    });
  }

  /** What waits is forgotten. */
  stop(): void {
    for (const key of this.waiting.keys()) this.drop(key);
  }

  private drop(key: string): void {
    const known = this.waiting.get(key);
    this.waiting.delete(key);
    known?.quiet.stop();
    known?.latest.stop();
  }
}
