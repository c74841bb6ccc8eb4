import { type Annals, type LangGraphBatchSaved, ProblemError, type SaveLangGraphBatch } from '@annals/sdk';

export type DeltaToSave = NonNullable<SaveLangGraphBatch['checkpoints']>[number];
export type WritesToSave = NonNullable<SaveLangGraphBatch['writes']>[number];
export type Saved = NonNullable<LangGraphBatchSaved['checkpoints'][number]>;

interface Queued<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** As many as the server accepts. */
const MAX_ITEMS = 100;
/** Characters of one request, so that it stays below the server's limit of a body. */
const MAX_LENGTH = 500_000;

/**
 * Saves what comes while a request is under way with the next request: the more callers there are, the fewer requests
 * each takes. What comes alone is sent at once.
 */
export class SaveQueue {
  private readonly deltas: Queued<DeltaToSave, Saved | null>[] = [];
  private readonly writes: Queued<WritesToSave, boolean>[] = [];
  private isSending = false;

  constructor(private readonly annals: Annals) {}

  /** Null when it was not saved: the state has to be sent whole. */
  saveDelta(item: DeltaToSave): Promise<Saved | null> {
    return this.add(this.deltas, item);
  }

  /** False when they were not saved: there is no such thread or namespace yet. */
  saveWrites(item: WritesToSave): Promise<boolean> {
    return this.add(this.writes, item);
  }

  private add<Item, Result>(queue: Queued<Item, Result>[], item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (!this.isSending) void this.sendAll();
    });
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    while (this.deltas.length + this.writes.length > 0) {
      let room = MAX_LENGTH;
      const fits = ({ item }: { item: DeltaToSave | WritesToSave }) => (room -= lengthOf(item)) >= 0;
      const deltas = takeWhile(this.deltas, fits);
      const writes = takeWhile(this.writes, fits);
      // What is longer than the limit by itself goes alone.
      if (deltas.length + writes.length === 0) deltas.push(...this.deltas.splice(0, 1));
      if (deltas.length + writes.length === 0) writes.push(...this.writes.splice(0, 1));
      await this.send(deltas, writes);
    }
    this.isSending = false;
  }

  private async send(
    deltas: readonly Queued<DeltaToSave, Saved | null>[],
    writes: readonly Queued<WritesToSave, boolean>[],
  ): Promise<void> {
    try {
      const saved = await this.annals.langgraph.checkpoints.save({
        checkpoints: deltas.map(({ item }) => item),
        writes: writes.map(({ item }) => item),
      });
      for (const [index, { resolve }] of deltas.entries()) resolve(saved.checkpoints[index] ?? null);
      for (const [index, { resolve }] of writes.entries()) resolve(saved.writes[index] ?? false);
    } catch (error) {
      // One that is refused must not fail the others: each is sent by a route of its own, and fails there.
      if (error instanceof ProblemError && error.status < 500 && error.status !== 429) {
        for (const { resolve } of deltas) resolve(null);
        for (const { resolve } of writes) resolve(false);
      } else {
        for (const { reject } of [...deltas, ...writes]) reject(error);
      }
    }
  }
}

/** Removes and returns the first items, as many as fit. */
function takeWhile<Item>(queue: Item[], fits: (item: Item) => boolean): Item[] {
  let count = 0;
  while (count < Math.min(queue.length, MAX_ITEMS) && fits(queue[count]!)) count += 1;
  return queue.splice(0, count);
}

/** About the length of an item in a request. */
function lengthOf(item: DeltaToSave | WritesToSave): number {
  if ('delta' in item) return item.delta.data.length + 1_000;
  return item.writes.reduce((sum, { value }) => sum + value.length, 1_000);
}
