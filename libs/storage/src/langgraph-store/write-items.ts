import type { IdGenerator } from '@annals/domain';
import { shareExistingUser, shareUser } from '../audit/share-user.js';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import { keyedSubject, noteDeletions } from '../deletions/note-deletion.js';
import type { LangGraphItemEntity } from '../entities/langgraph-store.entity.js';
import { halfvecLiteral } from '../vectors/index.js';
import { separateWords } from './item-words.js';
import { type ItemPlace, pathOf, placeText } from './item-place.js';
import { PLACE_LOCK, placeLocks } from './place-locks.js';

/** An item to store. */
export interface NewItem extends ItemPlace {
  /** The value as JSON. */
  readonly json: string;
  /** What the value says, for search by words. */
  readonly words: string;
  /** After how many minutes it expires; null: never. */
  readonly ttlMinutes: number | null;
  readonly texts: readonly IndexedText[];
}

/** A text of an item that is found by meaning, redacted. */
export interface IndexedText {
  readonly text: string;
  /** Null when it could not be made: the item gets it later (docs/reference/langgraph-store.md#late-vectors). */
  readonly vector: Float32Array | null;
}

/** Whose items are written, and when (epoch ms). */
export interface WriteScope {
  readonly userId: string;
  readonly now: number;
}

/**
 * Waits for an erasure of the user and for other writers of the same places, not for those of others
 * (docs/reference/langgraph-store.md#locks). Call it once, before the first write of a transaction, with all that it may
 * write. `mayInsert`: the user's row is inserted when it is missing, since items are going to be stored.
 */
export async function lockItems(
  tx: Tx,
  { userId, now }: WriteScope,
  { places, mayInsert }: { readonly places: readonly ItemPlace[]; readonly mayInsert: boolean },
): Promise<void> {
  await (mayInsert ? shareUser(tx, userId, now) : shareExistingUser(tx, userId));
  // Behind the user: whoever waits for a place keeps nobody out who has one.
  await tx.query('SELECT pg_advisory_xact_lock($1, n) FROM unnest($2::integer[]) AS n', [
    PLACE_LOCK,
    placeLocks(tx.tenantId, userId, places),
  ]);
}

// One that has expired is a new one. Two puts within a millisecond keep their order.
const PUT_SQL = `
  INSERT INTO langgraph_items AS i (item_id, user_id, path, key, namespace, value, value_bytes, words, ttl_minutes,
                                    created_at, updated_at, expires_at)
  SELECT r.item_id, $2, r.path, r.key, r.namespace, r.value, octet_length(r.value::text), to_tsvector('simple', r.words),
         r.ttl_minutes, $3, $3, $3::timestamptz + r.ttl_minutes * interval '1 minute'
    FROM json_to_recordset($1::json) AS r (item_id uuid, path text, key text, namespace text[], value jsonb, words text,
                                           ttl_minutes double precision)
  ON CONFLICT (tenant_id, user_id, path, key) DO UPDATE
     SET value = excluded.value, value_bytes = excluded.value_bytes, words = excluded.words,
         ttl_minutes = excluded.ttl_minutes, expires_at = excluded.expires_at,
         created_at = CASE WHEN i.expires_at <= $3 THEN excluded.created_at ELSE i.created_at END,
         updated_at = CASE WHEN i.expires_at <= $3 THEN excluded.updated_at
                           ELSE greatest(excluded.updated_at, i.updated_at + interval '1 millisecond') END
  RETURNING i.item_id, i.namespace, i.key`;

const DELETE_TEXTS_SQL = `
  WITH texts AS (DELETE FROM langgraph_item_texts WHERE item_id = ANY ($1))
  DELETE FROM langgraph_item_vectors WHERE item_id = ANY ($1)`;

const INSERT_TEXTS_SQL = `
  WITH r AS MATERIALIZED (
    SELECT r.item_id, r.ordinal, r.text, r.vector
      FROM json_to_recordset($1::json) AS r (item_id uuid, ordinal integer, text text, vector text)),
  texts AS (
    INSERT INTO langgraph_item_texts (item_id, ordinal, text) SELECT r.item_id, r.ordinal, r.text FROM r)
  INSERT INTO langgraph_item_vectors (item_id, model, ordinal, user_id, vector)
  SELECT r.item_id, $2, r.ordinal, $3, r.vector::halfvec FROM r WHERE r.vector IS NOT NULL`;

/**
 * Stores items, each place once, with their texts and the vectors of these under `model` instead of all that they had. Three
 * statements.
 */
export async function putItems(
  tx: Tx,
  { userId, now }: WriteScope,
  { items, model }: { readonly items: readonly NewItem[]; readonly model: string },
  { ids }: { readonly ids: IdGenerator },
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ namespace, key, json, words, ttlMinutes }) => {
    const path = pathOf(namespace);
    const item = { item_id: ids.next(), path, key, namespace, words: separateWords(words), ttl_minutes: ttlMinutes };
    const row = JSON.stringify(item);
    // The value is JSON already.
    return `${row.slice(0, -1)},"value":${json}}`;
  });
  const stored = await tx.query<Pick<LangGraphItemEntity, 'item_id' | 'namespace' | 'key'>>(PUT_SQL, [
    `[${rows.join(',')}]`,
    userId,
    new Date(now),
  ]);
  const idByPlace = new Map(stored.map(({ item_id: itemId, ...place }) => [placeText(place), itemId]));
  const texts = items.flatMap((item) => {
    const itemId = idByPlace.get(placeText(item));
    return item.texts.map(({ text, vector }, ordinal) => ({
      item_id: itemId,
      ordinal,
      text,
      vector: vector && halfvecLiteral(vector),
    }));
  });
  await allOf([
    tx.execute(DELETE_TEXTS_SQL, [stored.map(({ item_id: itemId }) => itemId)]),
    texts.length === 0 ? Promise.resolve(0) : tx.execute(INSERT_TEXTS_SQL, [JSON.stringify(texts), model, userId]),
  ]);
}

/** Deletes the items at these places, and returns how many there were. Their texts and vectors go with them. */
export async function deleteItems(tx: Tx, { userId, now }: WriteScope, places: readonly ItemPlace[]): Promise<number> {
  if (places.length === 0) return 0;
  const gone = await tx.query<Pick<LangGraphItemEntity, 'namespace' | 'key'>>(
    `DELETE FROM langgraph_items i USING unnest($2::text[], $3::text[]) AS k (path, key)
      WHERE i.user_id = $1 AND i.path = k.path AND i.key = k.key RETURNING i.namespace, i.key`,
    [userId, places.map(({ namespace }) => pathOf(namespace)), places.map(({ key }) => key)],
  );
  const notes = gone.map((place) => ({
    kind: 'langgraph_item' as const,
    subject: keyedSubject(tx, 'langgraph_item', [userId, placeText(place)]),
  }));
  await noteDeletions(tx, notes, now);
  return gone.length;
}

// Who is writing an item is passed by: a put sets its time as well.
const REFRESH_SQL = `
  UPDATE langgraph_items i SET expires_at = $2::timestamptz + i.ttl_minutes * interval '1 minute'
   WHERE i.item_id IN (
     SELECT o.item_id FROM langgraph_items o
      WHERE o.item_id = ANY ($1) AND o.ttl_minutes IS NOT NULL AND o.expires_at > $2
      ORDER BY o.item_id FOR UPDATE SKIP LOCKED)`;

/** Items that were read live as long again as when they were stored. Those without a time to live are not touched. */
export async function refreshItems(tx: Tx, itemIds: readonly string[], now: number): Promise<void> {
  if (itemIds.length === 0) return;
  await tx.execute(REFRESH_SQL, [itemIds, new Date(now)]);
}

/** Deletes up to `limit` items of all tenants that have expired at `now` (epoch ms), and returns how many. */
export function purgeExpiredItems(database: Database, now: number, limit: number): Promise<number> {
  return database.callScalarAcrossTenants<number>('purge_langgraph_items', [new Date(now), limit]);
}
