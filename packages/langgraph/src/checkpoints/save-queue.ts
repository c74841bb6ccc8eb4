import type { BatchSaver, Saved, StateToSave, WritesToSave } from './batch.js';

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
  private readonly states: Queued<StateToSave, Saved | null>[] = [];
  private readonly writes: Queued<WritesToSave, boolean>[] = [];
  private isSending = false;

  constructor(private readonly saver: BatchSaver) {}

  get takesWhole(): boolean {
    return this.saver.takesWhole;
  }

  /** Null when it was not saved: the state has to be sent whole. */
  saveState(item: StateToSave): Promise<Saved | null> {
    return this.add(this.states, item);
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
    while (this.states.length + this.writes.length > 0) {
      let room = MAX_LENGTH;
      const fits = ({ item }: { item: StateToSave | WritesToSave }) => (room -= lengthOf(item)) >= 0;
      const states = takeWhile(this.states, fits);
      const writes = takeWhile(this.writes, fits);
      // What is longer than the limit by itself goes alone.
      if (states.length + writes.length === 0) states.push(...this.states.splice(0, 1));
      if (states.length + writes.length === 0) writes.push(...this.writes.splice(0, 1));
      await this.send(states, writes);
    }
    this.isSending = false;
  }

  private async send(
    states: readonly Queued<StateToSave, Saved | null>[],
    writes: readonly Queued<WritesToSave, boolean>[],
  ): Promise<void> {
    try {
      const saved = await this.saver.save(
        states.map(({ item }) => item),
        writes.map(({ item }) => item),
      );
      for (const [index, { resolve }] of states.entries()) resolve(saved.checkpoints[index] ?? null);
      for (const [index, { resolve }] of writes.entries()) resolve(saved.writes[index] ?? false);
    } catch (error) {
      for (const { reject } of [...states, ...writes]) reject(error);
    }
  }
}

/** Removes and returns the first items, as many as fit. */
function takeWhile<Item>(queue: Item[], fits: (item: Item) => boolean): Item[] {
  let count = 0;
  while (count < Math.min(queue.length, MAX_ITEMS) && fits(queue[count]!)) count += 1;
  return queue.splice(0, count);
}

/** About the length of an item in a request, where bodies are in base64. */
function lengthOf(item: StateToSave | WritesToSave): number {
  if ('body' in item) return Math.ceil(item.body.length / 3) * 4 + 1_000;
  return item.writes.reduce((sum, { value }) => sum + value.length, 1_000);
}
