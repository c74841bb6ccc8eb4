import type { Logger } from '@annals/observability';

const PRODUCER = 'producer';

/** Bounds queue operations by a timeout, and reports their results to the tracker. */
export class QueueGuard {
  constructor(
    private readonly tracker: OutageTracker,
    private readonly timeoutMs: number,
    /** Waits while the client connects; rejects immediately while it is disconnected. */
    private readonly connected: () => Promise<void> = async () => undefined,
  ) {}

  /** @throws QueueUnavailableError when `work` fails or takes longer than the limit. */
  async run<T>(operation: string, work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer within ${this.timeoutMs} ms`)), this.timeoutMs);
    });
    try {
      const result = await Promise.race([this.connected().then(work), late]);
      this.tracker.reportUp(PRODUCER);
      return result;
    } catch (error) {
      this.tracker.reportDown(PRODUCER, error);
      throw new QueueUnavailableError(operation, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The queue did not answer in time or cannot be reached. Nothing is lost: the work stays in the outbox. */
export class QueueUnavailableError extends Error {
  readonly code = 'queue_unavailable';

  constructor(operation: string, cause?: unknown) {
    super(`The queue is not reachable (${operation}). Work waits in the outbox until it answers again.`, { cause });
    this.name = 'QueueUnavailableError';
  }
}

/** Tracks whether the queue is unreachable, so that each outage is logged once when it begins and once when it ends. */
export class OutageTracker {
  private readonly sourcesDown = new Set<string>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly logger: Logger) {}

  get isDown(): boolean {
    return this.sourcesDown.size > 0;
  }

  /** `source` names the connection that failed; only its own `reportUp` ends its part of the outage. */
  reportDown(source: string, error: unknown): void {
    const alreadyKnown = this.isDown;
    this.sourcesDown.add(source);
    if (!alreadyKnown) this.logger.warn('queue_unavailable', { error });
  }

  reportUp(source: string): void {
    if (!this.sourcesDown.delete(source) || this.isDown) return;
    this.logger.info('queue_available');
    for (const listener of this.listeners) listener();
  }

  /** Calls `listener` each time an outage ends. Returns a function that removes it. */
  onRecovered(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
