import { type Clock, computeRetryDelayMs, type Timer } from '@annals/domain';

/** How a change was noticed. */
export type NoticedBy = 'event' | 'scan';

export interface NoticesOptions {
  readonly clock: Pick<Clock, 'startTimer'>;
  readonly retry: { readonly firstMs: number; readonly maxMs: number };
  /** Passes on that something changed; rejects when it cannot be done now. */
  readonly send: (key: string, by: NoticedBy) => Promise<void>;
  /** The first of several failures. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Passes on what changed, one thing at a time and each until it succeeds: while a database is away, there is one try for all of
 * them, not one for each. What changes while it is being passed on is passed on again.
 */
export class Notices {
  private readonly waiting = new Map<string, NoticedBy>();
  private running: Promise<void> | null = null;
  private pause: Timer | null = null;
  private failures = 0;
  private isStopped = false;

  constructor(private readonly options: NoticesOptions) {}

  add(key: string, by: NoticedBy): void {
    if (this.isStopped) return;
    if (!this.waiting.has(key)) this.waiting.set(key, by);
    if (this.pause === null) this.run();
  }

  /** Waits for what is being passed on; the next scan finds the rest. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.pause?.stop();
    await this.running;
  }

  private run(): void {
    this.running ??= this.sendAll().finally(() => (this.running = null));
  }

  private async sendAll(): Promise<void> {
    while (!this.isStopped) {
      const [next] = this.waiting;
      if (next === undefined) return;
      const [key, by] = next;
      this.waiting.delete(key);
      try {
        await this.options.send(key, by);
        this.failures = 0;
      } catch (error) {
        // Behind the others: it may be the only one that fails.
        if (!this.waiting.has(key)) this.waiting.set(key, by);
        return this.wait(error);
      }
    }
  }

  private wait(error: unknown): void {
    const { clock, retry, onFailed } = this.options;
    if (this.failures === 0) onFailed(error);
    const delayMs = computeRetryDelayMs(retry, this.failures);
    this.failures += 1;
    if (this.isStopped) return;
    this.pause = clock.startTimer(delayMs, () => {
      this.pause = null;
      this.run();
    });
  }
}
