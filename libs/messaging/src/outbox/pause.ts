/** Interruptible delays of a loop: a kick ends a sleep, only a stop ends a rest. */
export class Pause {
  private kicked = false;
  private laterKick?: NodeJS.Timeout | undefined;
  private stopped = false;
  private wake?: (() => void) | undefined;
  private sleeping = false;

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Waits for `ms`, or until the next kick. Returns immediately after a kick since the last sleep. */
  async sleep(ms: number): Promise<void> {
    if (!this.kicked) {
      this.sleeping = true;
      await this.wait(ms);
      this.sleeping = false;
    }
    this.kicked = false;
  }

  /** Waits for `ms`, whether kicked or not. */
  rest(ms: number): Promise<void> {
    return this.wait(ms);
  }

  kick(): void {
    clearTimeout(this.laterKick);
    this.laterKick = undefined;
    this.kicked = true;
    if (this.sleeping) this.wake?.();
  }

  /** Kicks after `ms`, unless another kick comes first. Several calls count as one, after the time of the first. */
  kickLater(ms: number): void {
    if (!this.stopped) this.laterKick ??= setTimeout(() => this.kick(), ms);
  }

  stop(): void {
    clearTimeout(this.laterKick);
    this.stopped = true;
    this.wake?.();
  }

  private wait(ms: number): Promise<void> {
    if (this.stopped || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      this.wake = finish;
    });
  }
}
