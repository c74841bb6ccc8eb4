import type { Tx } from '../database/transaction.js';
import { type ItemPlace, pathOf } from './item-place.js';
import {
  isLiveSql,
  itemColumnsSql,
  type ItemRow,
  type ReadItems,
  type ReadScope,
  type StoredItem,
  summarize,
  toStoredItem,
} from './item-rows.js';

const READ_SQL = `
  SELECT k.ordinal::integer AS ordinal, ${itemColumnsSql('k.ordinal', '$5')}
    FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS k (path, key, ordinal)
    JOIN langgraph_items i ON i.user_id = $1 AND i.path = k.path AND i.key = k.key
   WHERE ${isLiveSql('$4')}`;

/** The items at these places, in their order; null where there is none or it has expired. One statement. */
export async function readItems(
  tx: Tx,
  { userId, now, maxBytes }: ReadScope,
  places: readonly ItemPlace[],
): Promise<ReadItems<StoredItem | null>> {
  if (places.length === 0) return { items: [], bytes: 0, isTruncated: false };
  const rows = await tx.query<ItemRow & { ordinal: number }>(READ_SQL, [
    userId,
    places.map(({ namespace }) => pathOf(namespace)),
    places.map(({ key }) => key),
    new Date(now),
    maxBytes,
  ]);
  const found = new Map(rows.map((row) => [row.ordinal, toStoredItem(row)]));
  return { items: places.map((_, index) => found.get(index + 1) ?? null), ...summarize(rows) };
}

/** Counts of a user's items; `expired` are those that wait for their deletion, which nothing else counts. */
export interface StoreStatistics {
  readonly items: number;
  readonly expired: number;
  readonly namespaces: number;
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

const STATISTICS_SQL = `
  SELECT count(*) FILTER (WHERE live)::integer AS items,
         count(*) FILTER (WHERE NOT live)::integer AS expired,
         count(DISTINCT path) FILTER (WHERE live)::integer AS namespaces,
         min(created_at) FILTER (WHERE live) AS oldest, max(created_at) FILTER (WHERE live) AS newest
    FROM (SELECT i.path, i.created_at, ${isLiveSql('$2')} AS live FROM langgraph_items i WHERE i.user_id = $1) counted`;

export async function readStoreStatistics(
  tx: Tx,
  { userId, now }: Pick<ReadScope, 'userId' | 'now'>,
): Promise<StoreStatistics> {
  const [row] = await tx.query<StoreStatistics>(STATISTICS_SQL, [userId, new Date(now)]);
  return row!;
}
