import type { Batch } from '@annals/sdk';
import type { ImportContext } from './import-context.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** Batches that are asked for at once. */
const ASKED_AT_ONCE = 10;

/** Follows batches until memories were extracted from them, or it is known why not. */
export class BatchWatch {
  private readonly waiting: Set<string>;

  constructor(
    private readonly context: Pick<ImportContext, 'annals' | 'tally' | 'pause'>,
    open: readonly string[],
  ) {
    this.waiting = new Set(open);
  }

  /** Those of which nothing is known yet. */
  get open(): string[] {
    return [...this.waiting];
  }

  add(ids: readonly string[]): void {
    const before = this.waiting.size;
    for (const id of ids) this.waiting.add(id);
    this.context.tally.extracted.batches += this.waiting.size - before;
  }

  /** Adds batches of a conversation that nobody has added, and that are not over. */
  async addOpen(of: { readonly user_id: string; readonly thread_id: string }): Promise<void> {
    const found: string[] = [];
    for await (const { id, status } of this.context.annals.batches.list(of)) {
      if (status !== 'done' && status !== 'failed') found.push(id);
    }
    this.add(found);
  }

  /** Waits until at most so many are open: the server is not given more than it gets done. */
  async settle(most: number): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; this.waiting.size > most; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      const before = this.waiting.size;
      await this.ask();
      if (this.waiting.size <= most) return;
      if (this.waiting.size < before) pauseMs = FIRST_PAUSE_MS;
      await this.context.pause(pauseMs);
    }
  }

  /** The oldest first. */
  private async ask(): Promise<void> {
    const { annals } = this.context;
    const asked = [...this.waiting].slice(0, ASKED_AT_ONCE);
    for (const batch of await Promise.all(asked.map((id) => annals.batches.get(id)))) this.note(batch);
  }

  private note({ id, status, inserted, updated, error }: Batch): void {
    const { tally } = this.context;
    if (status === 'done') {
      tally.extracted.inserted += inserted;
      tally.extracted.updated += updated;
    } else if (status === 'deferred') tally.extracted.deferred += 1;
    else if (status === 'failed') {
      tally.extracted.failed += 1;
      const reason = `batches that failed: ${error?.code ?? 'unknown'}`;
      tally.addNotTaken({ kind: 'conversation', id, reason, isRefused: true });
    } else return;
    this.waiting.delete(id);
  }
}
