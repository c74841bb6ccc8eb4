import type { OutageTracker } from './outage-tracker.js';
import { QueueUnavailableError } from './queue-unavailable-error.js';

const PRODUCER = 'producer';

/** Bounds every question to the queue, so that no caller hangs while Redis is gone, and tells the tracker how it went. */
export class QueueGuard {
  constructor(
    private readonly tracker: OutageTracker,
    private readonly timeoutMs: number,
    /** Waits for a connection that is being made; fails at once while there is none. */
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
