import { isTransientDatabaseError } from '@annals/storage';

export interface WriteBehindOptions<Note> {
  /** Notes that may wait, of all tenants together. */
  readonly mostWaiting: number;
  /** From one flush to the next, in ms. */
  readonly flushEveryMs: number;
  /** Notes that `write` gets at once; all that wait unless told. */
  readonly atATime?: number;
  /** Notes of a tenant with the same key take one place. */
  readonly keyOf: (note: Note) => string;
  /** What is left of two notes with the same key; the later one unless told. */
  readonly merge?: (known: Note, note: Note) => Note;
  /** Writes notes of one tenant. Notes of an outage wait on, those of any other error are lost. */
  readonly write: (tenantId: string, notes: readonly Note[]) => Promise<void>;
  /** Is told how many notes are lost; by an error, or since too many wait. */
  readonly onLost: (count: number, error?: unknown) => void;
}

/**
 * Writes what answers leave behind after they are given: notes are collected in memory and written together, tenant by
 * tenant. What waits is bounded, and lost when the process is killed.
 */
export class WriteBehind<Note> {
  private tenants = new Map<string, Map<string, Note>>();
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> | undefined;

  constructor(private readonly options: WriteBehindOptions<Note>) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), this.options.flushEveryMs).unref();
  }

  /** Writes what still waits, once: call it before the connections are closed. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    // The first may be one that runs already.
    await this.flush();
    await this.flush();
  }

  /** Neither waits nor fails. */
  keep(tenantId: string, notes: readonly Note[]): void {
    this.add(tenantId, notes);
  }

  /** Writes what waits; joins the flush that runs. Never fails. */
  flush(): Promise<void> {
    this.flushing ??= this.flushAll().finally(() => (this.flushing = undefined));
    return this.flushing;
  }

  private async flushAll(): Promise<void> {
    const { tenants } = this;
    const { atATime } = this.options;
    this.tenants = new Map();
    this.waiting = 0;
    for (const [tenantId, keyed] of tenants) {
      const notes = [...keyed.values()];
      const step = atATime ?? notes.length;
      for (let start = 0; start < notes.length; start += step) {
        await this.write(tenantId, notes.slice(start, start + step));
      }
    }
  }

  private async write(tenantId: string, notes: readonly Note[]): Promise<void> {
    try {
      await this.options.write(tenantId, notes);
    } catch (error) {
      if (isTransientDatabaseError(error)) this.add(tenantId, notes, error);
      else this.options.onLost(notes.length, error);
    }
  }

  private add(tenantId: string, notes: readonly Note[], error?: unknown): void {
    const { keyOf, merge = (_, note) => note, mostWaiting, onLost } = this.options;
    const keyed = this.tenants.get(tenantId) ?? new Map<string, Note>();
    this.tenants.set(tenantId, keyed);
    let lost = 0;
    for (const note of notes) {
      const key = keyOf(note);
      const known = keyed.get(key);
      if (known !== undefined) {
        keyed.set(key, merge(known, note));
      } else if (this.waiting < mostWaiting) {
        keyed.set(key, note);
        this.waiting += 1;
      } else {
        lost += 1;
      }
    }
    if (lost > 0) onLost(lost, error);
  }
}
