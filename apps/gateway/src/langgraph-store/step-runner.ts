import { type LangGraphStoreOperation, type LangGraphStoreResult, ProblemError } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import {
  deleteItems,
  type FoundItem,
  type ItemRanking,
  listNamespaces,
  putItems,
  type ReadItems,
  readItems,
  readStoreStatistics,
  refreshItems,
  searchItems,
  type StoredItem,
  type Tx,
  type WriteScope,
} from '@annals/storage';
import { invalidFields } from '../http/parse-input.js';
import type { StoreBatch } from './parse-operations.js';
import { isWrite, type StoreStep } from './plan-steps.js';

/** What one answer may have, as JSON: values, and about so much for what is beside them. */
const MAX_ANSWER_BYTES = 16_000_000;

/** After so long no search begins: each may take as long as a statement, and all hold one connection and its locks. */
const MAX_RUN_MS = 20_000;

type Search = StoreStep['searches'][number];
type ItemSearchOperation = Extract<LangGraphStoreOperation, { op: 'search' }>;

/** Runs the steps of a batch in a transaction, one after another, and keeps the result of each operation. */
export class StepRunner {
  private readonly results = new Map<number, LangGraphStoreResult>();
  private readonly refreshed = new Set<string>();
  private bytes = 0;

  constructor(
    private readonly tx: Tx,
    private readonly scope: WriteScope,
    private readonly batch: StoreBatch,
    private readonly dependencies: { readonly clock: Clock; readonly ids: IdGenerator },
  ) {}

  async run({ gets, searches, writes }: StoreStep): Promise<void> {
    await this.get(gets);
    for (const search of searches) {
      this.checkTime(search.place);
      this.results.set(search.place, await this.search(search));
    }
    await this.write(writes);
  }

  /** Call it behind the last step: who has refreshed an item must wait for nobody who writes one. */
  async refresh(): Promise<void> {
    await refreshItems(this.tx, [...this.refreshed], this.scope.now);
  }

  /** Throws for a read that was not run. */
  resultOf(operation: LangGraphStoreOperation, place: number): LangGraphStoreResult {
    if (isWrite(operation)) return { op: operation.op };
    return this.results.get(place)!;
  }

  private async get(gets: StoreStep['gets']): Promise<void> {
    if (gets.length === 0) return;
    const read = await readItems(this.tx, this.readScope(), gets);
    this.count(read, gets[0]!.place);
    for (const [index, { place, refresh_ttl: refreshes }] of gets.entries()) {
      const item = read.items[index] ?? null;
      this.results.set(place, { op: 'get', item: item && toItem(item) });
      if (item && refreshes) this.refreshed.add(item.itemId);
    }
  }

  private async search(operation: Search): Promise<LangGraphStoreResult> {
    switch (operation.op) {
      case 'statistics': {
        const { items, expired, namespaces, oldest, newest } = await readStoreStatistics(this.tx, this.scope);
        const times = { oldest: oldest?.toISOString() ?? null, newest: newest?.toISOString() ?? null };
        return { op: 'statistics', items, expired, namespaces, ...times };
      }
      case 'list_namespaces': {
        const { match_conditions: matches, max_depth: maxDepth, limit, offset } = operation;
        const namespaces = await listNamespaces(this.tx, this.scope, {
          matches: matches.map(({ match_type: end, path: labels }) => ({ end, labels })),
          maxDepth: maxDepth ?? null,
          limit,
          offset,
        });
        const bytes = namespaces.reduce((sum, labels) => sum + Buffer.byteLength(JSON.stringify(labels)), 0);
        this.count({ bytes, isTruncated: this.bytes + bytes > MAX_ANSWER_BYTES }, operation.place);
        return { op: 'list_namespaces', namespaces };
      }
      case 'search':
        return this.searchItems(operation);
    }
  }

  private async searchItems(operation: ItemSearchOperation & { place: number }): Promise<LangGraphStoreResult> {
    const { place, namespace_prefix: prefix, limit, offset } = operation;
    const conditions = this.batch.conditions.get(place) ?? [];
    const ranking = this.rank(operation, place);
    const found = await searchItems(this.tx, this.readScope(), { prefix, conditions, ranking, limit, offset });
    this.count(found, place);
    if (operation.refresh_ttl) for (const { itemId } of found.items) this.refreshed.add(itemId);
    return { op: 'search', items: found.items.map(toFoundItem) };
  }

  /** Without a vector of the query, words alone. */
  private rank(operation: ItemSearchOperation, place: number): ItemRanking {
    const { query, mode, similarity_threshold: minCosine = null, vector_weight: vectorWeight } = operation;
    if (query === undefined) return { words: null, vector: null, vectorWeight };
    const vector = this.batch.vectors.ofQueries.get(place);
    if (vector === undefined) return { words: query, vector: null, vectorWeight };
    const byVector = { model: this.batch.vectors.model, vector, minCosine };
    return { words: mode === 'vector' ? null : query, vector: byVector, vectorWeight };
  }

  private async write(writes: StoreStep['writes']): Promise<void> {
    const deleted = writes.filter(({ op }) => op === 'delete');
    await deleteItems(this.tx, this.scope, deleted);
    const items = writes.flatMap((write) => {
      if (write.op === 'delete') return [];
      const { place, namespace, key, ttl_minutes: ttlMinutes = null } = write;
      const texts = this.batch.vectors.ofItems.get(place) ?? [];
      return [{ namespace, key, ...this.batch.values.get(place)!, ttlMinutes, texts }];
    });
    await putItems(this.tx, this.scope, { items, model: this.batch.vectors.model }, this.dependencies);
  }

  private checkTime(place: number): void {
    if (this.dependencies.clock.now() - this.scope.now <= MAX_RUN_MS) return;
    const message = `What comes before took ${MAX_RUN_MS / 1_000} seconds, and all is undone: send fewer searches in one batch, or search below a longer namespace_prefix.`;
    throw invalidFields([{ path: `body.operations[${place}]`, message }]);
  }

  private readScope() {
    return { ...this.scope, maxBytes: MAX_ANSWER_BYTES - this.bytes };
  }

  private count({ bytes, isTruncated }: Pick<ReadItems<unknown>, 'bytes' | 'isTruncated'>, place: number): void {
    this.bytes += bytes;
    if (!isTruncated) return;
    const path = `body.operations[${place}]`;
    const message = `The items of one answer may have ${MAX_ANSWER_BYTES} bytes: lower the limit, or send fewer operations.`;
    throw new ProblemError('store_answer_too_large', `${path}: ${message}`, { errors: [{ path, message }] });
  }
}

function toItem({ namespace, key, value, createdAt, updatedAt }: StoredItem) {
  return {
    namespace: [...namespace],
    key,
    value: { ...value },
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function toFoundItem(item: FoundItem) {
  return { ...toItem(item), score: item.score };
}
