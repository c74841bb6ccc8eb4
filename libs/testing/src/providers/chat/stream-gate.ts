/** Holds back the events of a stream until a test releases them. */
export class StreamGate {
  private released = 0;
  private wake: (() => void) | undefined;

  release(events: number): void {
    this.released += events;
    this.wake?.();
  }

  open(): void {
    this.release(Number.POSITIVE_INFINITY);
  }

  /** Resolves when one more event may be sent. */
  async pass(): Promise<void> {
    while (this.released < 1) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.released -= 1;
  }
}
