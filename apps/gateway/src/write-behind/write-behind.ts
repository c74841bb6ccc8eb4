import { isTransientDatabaseError } from '@annals/storage';

export interface WriteBehindOptions<Entry> {
  /** Entries that may wait, of all tenants together. */
  readonly maxPending: number;
  /** From one flush to the next, in ms. */
  readonly flushIntervalMs: number;
  /** Entries that `write` gets at once; all that wait unless told. */
  readonly batchSize?: number;
  /** Entries of a tenant with the same key take one place. */
  readonly keyOf: (entry: Entry) => string;
  /** What is left of two entries with the same key; the later one unless told. */
  readonly merge?: (known: Entry, entry: Entry) => Entry;
  /** Writes entries of one tenant. Entries of an outage wait on, those of any other error are lost. */
  readonly write: (tenantId: string, entries: readonly Entry[]) => Promise<void>;
  /** Is told how many entries are lost; by an error, or since too many wait. */
  readonly onDropped: (count: number, error?: unknown) => void;
}

/**
 * Writes what answers leave behind after they are given: entries are collected in memory and written together, tenant by
 * tenant. What waits is bounded, and lost when the process is killed.
 */
export class WriteBehind<Entry> {
  private tenants = new Map<string, Map<string, Entry>>();
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(private readonly options: WriteBehindOptions<Entry>) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), this.options.flushIntervalMs).unref();
  }

  /** Writes what still waits, once: call it before the connections are closed. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    // The first may be one that runs already.
    await this.flush();
    await this.flush();
  }

  /** Neither waits nor fails. */
  enqueue(tenantId: string, entries: readonly Entry[]): void {
    this.add(tenantId, entries);
  }

  /** Writes what waits; joins the flush that runs. Never fails. */
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
      if (isTransientDatabaseError(error)) this.add(tenantId, entries, error);
      else this.options.onDropped(entries.length, error);
    }
  }

  private add(tenantId: string, entries: readonly Entry[], error?: unknown): void {
    const { keyOf, merge = (_, entry) => entry, maxPending, onDropped } = this.options;
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
    if (lost > 0) onDropped(lost, error);
  }
}
