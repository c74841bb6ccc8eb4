import type { Logger } from '@annals/observability';

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
