/** How texts of a value are found by meaning. Annals makes the vectors itself, by the model that it is configured with. */
export interface StoreIndexOptions {
  /**
   * Paths of the texts, such as `title`, `metadata.summary`, `chapters[*].content`, `authors[0].name`. Default: `['$']`,
   * the whole value as JSON. A put may name others, or `false` for none.
   */
  readonly fields?: readonly string[];
}

/** How long items live. */
export interface StoreTtlOptions {
  /** Minutes, of items that are put without a time of their own. Default: they do not expire. */
  readonly defaultTtl?: number;
  /** Whether items that are read or found live on as long as when they were put. Default: true. */
  readonly refreshOnRead?: boolean;
}

export interface AnnalsStoreOptions {
  /**
   * Turns on search by meaning. Without it, items are found by words: `mode: 'vector'` and `mode: 'hybrid'` are refused, as
   * nothing would be found.
   */
  readonly index?: StoreIndexOptions;
  readonly ttl?: StoreTtlOptions;
  /**
   * Whose items these are: one user, or the user of a namespace, `undefined` for nobody's. Their items are exported and
   * erased with them. Default: nobody's, which all belong to the user `langgraph-store`.
   */
  readonly user?: string | ((namespace: readonly string[]) => string | undefined);
  /** Called when a batch was carried out without vectors that it needed: items and answers of it rest on words alone. */
  readonly onDegraded?: () => void;
}

export interface StorePutOptions {
  /** Minutes until the item expires. Default: `ttl.defaultTtl` of the store. */
  readonly ttl?: number;
}

/** `auto`: by meaning when the store has an `index`, else by words. */
export type StoreSearchMode = 'auto' | 'text' | 'vector' | 'hybrid';

export interface StoreSearchOptions {
  /**
   * What fields of the value hold: a value that is equal, or operators (`$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in`,
   * `$nin`, `$exists`), or an object with the same for fields below.
   */
  readonly filter?: Record<string, unknown>;
  /** Default: 10. At most 1,000. */
  readonly limit?: number;
  /** Default: 0. */
  readonly offset?: number;
  /** What to search for. Without it, the newest items are first. */
  readonly query?: string;
  /** Default: `auto`. */
  readonly mode?: StoreSearchMode;
  /** The least cosine, from -1 to 1, of items that fit by meaning. */
  readonly similarityThreshold?: number;
  /** Of the meaning with `mode: 'hybrid'`, from 0 to 1; the words have the rest. Default: 0.7. */
  readonly vectorWeight?: number;
  /** Default: `ttl.refreshOnRead` of the store. */
  readonly refreshTtl?: boolean;
}

/** Counts of a user's items. */
export interface StoreStatistics {
  /** Without those that have expired. */
  readonly totalItems: number;
  /** Items that have expired and wait for their deletion; nothing else counts them. */
  readonly expiredItems: number;
  readonly namespaceCount: number;
  /** When the oldest item was created; null without items. */
  readonly oldestItem: Date | null;
  readonly newestItem: Date | null;
}
