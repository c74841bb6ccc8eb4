import type { LangGraphItemEntity } from '../entities/langgraph-store.entity.js';

/** An item as it is stored. */
export interface StoredItem {
  readonly itemId: string;
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface FoundItem extends StoredItem {
  /** How well it fits what was searched for; null without a query. */
  readonly score: number | null;
}

/** Of a reading statement: whose items, the time (epoch ms) and how many bytes of items it may return. */
export interface ReadScope {
  readonly userId: string;
  readonly now: number;
  readonly maxBytes: number;
}

/** What a statement has read. `isTruncated`: the items are together longer than it may return, so some are missing. */
export interface ReadItems<Item> {
  /** In the order of what was asked for; null: there is no such item. */
  readonly items: readonly Item[];
  readonly bytes: number;
  readonly isTruncated: boolean;
}

export type ItemRow = Pick<LangGraphItemEntity, 'item_id' | 'namespace' | 'key' | 'created_at' | 'updated_at'> & {
  /** Null beyond the maximum. */
  readonly value: LangGraphItemEntity['value'] | null;
  readonly bytes: number;
};

/** SQL of the condition that the row `i` has not expired at the time `now`. */
export const isLiveSql = (now: string) => `(i.expires_at IS NULL OR i.expires_at > ${now})`;

/** Of an item in an answer, beside its value, its namespace and its key: names of fields, times, the score. */
const FRAME_BYTES = 256;
/** SQL: about how much of an answer the row `i` is. Tiny items with long places are not free. */
const BYTES_SQL = `(i.value_bytes + 2 * octet_length(i.path) + octet_length(i.key) + ${FRAME_BYTES})`;

/**
 * SQL of the columns of an {@link ItemRow} of the rows `i` that are read, in the order of `place`: the values of the first
 * ones that are together not longer than `maxBytes`.
 */
export const itemColumnsSql = (place: string, maxBytes: string) => `
  i.item_id, i.namespace, i.key, i.created_at, i.updated_at, ${BYTES_SQL} AS bytes,
  CASE WHEN sum(${BYTES_SQL}) OVER (ORDER BY ${place}) <= ${maxBytes}::bigint THEN i.value END AS value`;

export function toStoredItem(row: ItemRow): StoredItem {
  return {
    itemId: row.item_id,
    namespace: row.namespace,
    key: row.key,
    value: row.value ?? {},
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What rows say about the whole. */
export function summarize(rows: readonly ItemRow[]): Pick<ReadItems<never>, 'bytes' | 'isTruncated'> {
  return {
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    isTruncated: rows.some(({ value }) => value === null),
  };
}
