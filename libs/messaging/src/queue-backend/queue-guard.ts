import type { OutageTracker } from './outage-tracker.js';
import { QueueUnavailableError } from './queue-unavailable-error.js';

const PRODUCER = 'producer';

/**
 * Bounds every queue operation by a timeout, so that no caller hangs while Redis is down, and reports the result to the
 * tracker.
 */
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
