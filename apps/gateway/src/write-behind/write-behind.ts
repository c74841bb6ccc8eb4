import type { Logger, Metrics } from '@annals/observability';
import { isTransientDatabaseError } from '@annals/storage';

export interface WriteBehindOptions<Entry> {
  /** Most entries that may wait, over all tenants. */
  readonly maxPending: number;
  readonly flushIntervalMs: number;
  /** Most entries per `write`; by default all that wait. */
  readonly batchSize?: number;
  /** Entries of a tenant with the same key are merged into one. */
  readonly keyOf: (entry: Entry) => string;
  /** Merges two entries with the same key; by default the later one replaces the earlier one. */
  readonly merge?: (known: Entry, entry: Entry) => Entry;
  /** Writes entries of one tenant. They stay queued during an outage, and are dropped on other errors. */
  readonly write: (tenantId: string, entries: readonly Entry[]) => Promise<void>;
  /** Counts the entries that are dropped. */
  readonly droppedMetric: 'memory_llm_accesses_dropped_total' | 'memory_llm_events_dropped_total';
  /** Logged when entries are dropped because of an error. */
  readonly failureEvent: 'access_log_failed' | 'event_log_failed';
}

export interface WriteBehindReporting {
  readonly metrics: Pick<Metrics, 'add'>;
  readonly logger: Pick<Logger, 'error'>;
}

/** Collects entries and writes them in the background, by tenant. Bounded, and lost when the process is killed. */
export class WriteBehind<Entry> {
  private tenants = new Map<string, Map<string, Entry>>();
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(
    private readonly options: WriteBehindOptions<Entry>,
    private readonly reporting: WriteBehindReporting,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), this.options.flushIntervalMs).unref();
  }

  /**
   * Stops flushing and writes the rest of the queue, once. Call it when requests are no longer accepted, and again
   * before the connections are closed: the last responses have enqueued their entries by then.
   */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    // The first call may only join a flush that is already running.
    await this.flush();
    await this.flush();
  }

  /** Adds entries to the queue; `error` is why they could not be written before. Neither waits nor throws. */
  enqueue(tenantId: string, entries: readonly Entry[], error?: unknown): void {
    const { keyOf, merge = (_, entry) => entry, maxPending } = this.options;
    const keyed = this.tenants.get(tenantId) ?? new Map<string, Entry>();
    this.tenants.set(tenantId, keyed);
    let lost = 0;
    for (const entry of entries) {
      const key = keyOf(entry);
      const known = keyed.get(key);
      if (known !== undefined) {
        keyed.set(key, merge(known, entry));
      } else if (this.waiting < maxPending) {
        keyed.set(key, entry);
        this.waiting += 1;
      } else {
        lost += 1;
      }
    }
    if (lost > 0) this.reportDropped(lost, error);
  }

  flush(): Promise<void> {
    this.flushing ??= this.flushAll().finally(() => (this.flushing = undefined));
    return this.flushing;
  }

  private async flushAll(): Promise<void> {
    const { tenants } = this;
    const { batchSize } = this.options;
    this.tenants = new Map();
    this.waiting = 0;
    for (const [tenantId, keyed] of tenants) {
      const entries = [...keyed.values()];
      const step = batchSize ?? entries.length;
      for (let start = 0; start < entries.length; start += step) {
        await this.write(tenantId, entries.slice(start, start + step));
      }
    }
  }

  private async write(tenantId: string, entries: readonly Entry[]): Promise<void> {
    try {
      await this.options.write(tenantId, entries);
    } catch (error) {
      if (isTransientDatabaseError(error)) this.enqueue(tenantId, entries, error);
      else this.reportDropped(entries.length, error);
    }
  }

  /** `error` is undefined when the queue is full. */
  private reportDropped(dropped: number, error: unknown): void {
    const { droppedMetric, failureEvent } = this.options;
    this.reporting.metrics.add(droppedMetric, dropped);
    if (error !== undefined) this.reporting.logger.error(failureEvent, { dropped, error });
  }
}
