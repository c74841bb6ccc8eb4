import { computeRetryDelayMs } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { settlesWithin } from './running-job.js';

const RETRY_DELAY = { firstMs: 500 };
const MAX_TRIES = 6;

/** Reports exhausted jobs and retries when that fails; the sweep finds those that are still missed. */
export class ExhaustionNotifier {
  private readonly pending = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly logger: Logger) {}

  notify(send: () => Promise<void>): void {
    const delivery = this.notifyUntilDelivered(send).finally(() => this.pending.delete(delivery));
    this.pending.add(delivery);
  }

  /** Waits for notifications in flight, at most `timeoutMs`, and starts no further attempt. */
  async close(timeoutMs: number): Promise<void> {
    this.stopping.abort();
    await settlesWithin(Promise.all(this.pending), timeoutMs);
  }

  private async notifyUntilDelivered(send: () => Promise<void>): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      try {
        return await send();
      } catch (error) {
        this.logger.error('outbox_failed', { error });
      }
      if (this.stopping.signal.aborted) return;
      await waitOrStop(computeRetryDelayMs(RETRY_DELAY, tries - 1), this.stopping.signal);
    }
  }
}

function waitOrStop(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
