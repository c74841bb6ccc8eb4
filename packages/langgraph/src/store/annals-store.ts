import type { Annals, AnnalsOptions, LangGraphStoreBatch } from '@annals/sdk';
import {
  BaseStore,
  type Operation,
  type OperationResults,
  type SearchItem,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';
import { createClient } from '../client/create-client.js';
import { groupOperations, type OwnedOperation, type UserRequests } from './group-operations.js';
import type { AnnalsStoreOptions, StorePutOptions, StoreSearchOptions, StoreStatistics } from './options.js';
import { readResult, readStatistics, type SentResult } from './read-result.js';
import { namespaceOf, type StorePutOperation, type StoreSearchOperation, toRequest } from './to-request.js';

/**
 * A store of LangGraph on Annals, for what agents remember across threads. Items are stored, exported and erased with
 * their user (docs/reference/langgraph-store.md). Namespaces are checked as LangGraph does, with an
 * `InvalidNamespaceError`; other errors are those of `@annals/sdk`, whose requests are repeated when they failed in
 * passing.
 *
 * ```ts
 * const store = new AnnalsStore({ baseUrl, apiKey, index: { fields: ['text'] }, user: ([, user]) => user });
 * const graph = builder.compile({ store });
 * ```
 */
export class AnnalsStore extends BaseStore {
  private readonly annals: Pick<Annals, 'langgraph'>;
  private readonly options: AnnalsStoreOptions;
  private readonly userOf: (namespace: readonly string[]) => string | undefined;

  /** `connection`: how Annals is reached, with the options of the store, or a client of it. */
  constructor(
    connection: (AnnalsOptions & AnnalsStoreOptions) | Pick<Annals, 'langgraph'>,
    options: AnnalsStoreOptions = {},
  ) {
    super();
    const isClient = !('baseUrl' in connection);
    this.annals = isClient ? connection : createClient(connection);
    this.options = isClient ? options : { ...connection, ...options };
    const { user } = this.options;
    this.userOf = typeof user === 'function' ? user : () => user;
  }

  /**
   * Runs operations in one request and one transaction of each user: in their order, all or none. More than 200 operations
   * or 900 kB of one user are divided, and then only each part is all or none. Results are those of LangGraph: an item or
   * null, found items, namespaces, nothing for a put.
   */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const owned = operations.map((operation, place): OwnedOperation => ({
      place,
      user: this.userOf(namespaceOf(operation)),
      operation: toRequest(operation, this.options),
    }));
    const results: unknown[] = operations.map(() => undefined);
    await Promise.all(
      groupOperations(owned).map((requests) =>
        this.sendAll(requests, (place, result) => {
          results[place] = readResult(result);
        }),
      ),
    );
    return results as OperationResults<Op>;
  }

  /**
   * Stores an item, or replaces it. `index`: paths of the texts that are found by meaning instead of the store's, or
   * `false` for none. Values are JSON objects of at most 1 MB.
   */
  override async put(
    namespace: string[],
    key: string,
    value: Record<string, unknown>,
    index?: false | string[],
    options?: StorePutOptions,
  ): Promise<void> {
    validateNamespace(namespace);
    const operation: StorePutOperation = { namespace, key, value, ...(index === undefined ? {} : { index }), options };
    await this.batch([operation]);
  }

  /** Items below a namespace, by fields, words and meaning. `score`: only with a query, higher fits better. */
  override async search(namespacePrefix: string[], options: StoreSearchOptions = {}): Promise<SearchItem[]> {
    const operation: StoreSearchOperation = { namespacePrefix, ...options };
    const [items] = await this.batch<[StoreSearchOperation]>([operation]);
    return items;
  }

  /** Counts of the items of the user of a namespace, of nobody's without one (see the option `user`). */
  async statistics(namespace: readonly string[] = []): Promise<StoreStatistics> {
    const operation = { op: 'statistics' } as const;
    const user = this.userOf(namespace);
    let found: SentResult | undefined;
    await this.sendAll([[{ place: 0, user, operation }]], (_place, result) => {
      found = result;
    });
    return readStatistics(found);
  }

  /** Sends the requests of a user one after another: each sees what those before it have written. */
  private async sendAll(requests: UserRequests, onResult: (place: number, result: SentResult) => void): Promise<void> {
    for (const request of requests) {
      const { user } = request[0]!;
      const operations = request.map(({ operation }) => operation);
      const body: LangGraphStoreBatch = { ...(user === undefined ? {} : { user_id: user }), operations };
      const { results, degraded } = await this.annals.langgraph.store.batch(body);
      if (degraded) this.options.onDegraded?.();
      for (const [index, { place }] of request.entries()) onResult(place, results[index]!);
    }
  }
}
