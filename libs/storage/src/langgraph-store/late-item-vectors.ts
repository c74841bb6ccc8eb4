import { shareExistingUser } from '../audit/share-user.js';
import { NIL_UUID } from '../database/cursor.js';
import type { Database } from '../database/database.js';
import type { Nullable, Tx } from '../database/transaction.js';
import type { LangGraphItemEntity, LangGraphItemTextEntity } from '../entities/langgraph-store.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import type { ContentEmbedding } from '../memories/embeddings.js';
import { requestAbsentUserWork, requestUserWork } from '../work/request-user-work.js';
import { halfvecLiteral } from '../vectors/index.js';
import { isLiveSql } from './item-rows.js';

/** Position of a scan of the indexed texts of all items of all tenants. */
export interface ItemTextPosition {
  readonly tenantId: string;
  readonly itemId: string;
  readonly ordinal: number;
}

export const ITEM_TEXTS_START: ItemTextPosition = { tenantId: NIL_UUID, itemId: NIL_UUID, ordinal: 0 };

/** An item with a text that has no vector under the model. */
export interface ItemWithoutVector {
  readonly tenantId: string;
  readonly userId: string;
  readonly itemId: string;
}

type ScannedRow = Pick<LangGraphItemEntity, 'tenant_id' | 'item_id'> & { ordinal: number; user_id: string | null };

/**
 * Scans the next `scan` indexed texts of all tenants and returns the items, not expired at `now` (epoch ms), of those
 * without a vector of the model, and where the scan continues; null at its end.
 */
export async function findItemsWithoutVector(
  database: Database,
  query: { readonly model: string; readonly now: number; readonly after: ItemTextPosition; readonly scan: number },
): Promise<{ readonly due: ItemWithoutVector[]; readonly position: ItemTextPosition | null }> {
  const { model, now, after, scan } = query;
  const parameters = [model, new Date(now), after.tenantId, after.itemId, after.ordinal, scan];
  const rows = await database.callAcrossTenants<ScannedRow>('find_langgraph_items_without_vector', parameters);
  const last = rows.find((row) => row.user_id === null);
  return {
    due: rows.flatMap(({ tenant_id: tenantId, item_id: itemId, user_id: userId }) =>
      userId === null ? [] : [{ tenantId, userId, itemId }],
    ),
    position: last ? { tenantId: last.tenant_id, itemId: last.item_id, ordinal: last.ordinal } : null,
  };
}

/** A text of an item that has no vector of the model. */
export interface TextWithoutVector {
  readonly itemId: string;
  readonly ordinal: number;
  readonly text: string;
}

/** Those of one user. */
export interface TextsWithoutVector {
  readonly userId: string;
  readonly texts: readonly TextWithoutVector[];
}

interface TextsQuery {
  readonly subjectId: string;
  readonly model: string;
  /** Epoch ms: items that have expired are left out. */
  readonly now: number;
  readonly limit: number;
}

/** Texts of the oldest items, at most `limit`; null when no user has the subject id any more. */
export async function loadTextsWithoutVector(
  tx: Tx,
  { subjectId, model, now, limit }: TextsQuery,
): Promise<TextsWithoutVector | null> {
  const rows = await tx.query<
    Pick<UserEntity, 'user_id'> & Nullable<Pick<LangGraphItemTextEntity, 'item_id' | 'ordinal' | 'text'>>
  >(
    `SELECT u.user_id, m.item_id, m.ordinal, m.text FROM users u
       LEFT JOIN LATERAL (
         SELECT t.item_id, t.ordinal, t.text FROM langgraph_items i
           JOIN langgraph_item_texts t ON t.tenant_id = i.tenant_id AND t.item_id = i.item_id
          WHERE i.tenant_id = u.tenant_id AND i.user_id = u.user_id AND ${isLiveSql('$3')}
            AND NOT EXISTS (SELECT FROM langgraph_item_vectors v
                             WHERE v.tenant_id = t.tenant_id AND v.item_id = t.item_id AND v.model = $2
                               AND v.ordinal = t.ordinal)
          ORDER BY t.item_id, t.ordinal LIMIT $4) m ON true
      WHERE u.subject_id = $1 ORDER BY m.item_id, m.ordinal`,
    [subjectId, model, new Date(now), limit],
  );
  const [first] = rows;
  if (!first) return null;
  const texts = rows.flatMap(({ item_id: itemId, ordinal, text }) =>
    itemId === null ? [] : [{ itemId, ordinal: ordinal!, text: text! }],
  );
  return { userId: first.user_id, texts };
}

/** The vector of one text of an item. */
export interface LateItemVector extends Pick<TextWithoutVector, 'itemId' | 'ordinal'>, ContentEmbedding {}

// A put replaces the texts of its item, so a vector fits only the text that it was made of.
const ADD_SQL = `
  WITH added AS (
    INSERT INTO langgraph_item_vectors (item_id, model, ordinal, user_id, vector)
    SELECT t.item_id, $2, t.ordinal, $3, r.vector::halfvec
      FROM json_to_recordset($1::json) AS r (item_id uuid, ordinal integer, content_hash text, vector text)
      JOIN langgraph_item_texts t ON t.item_id = r.item_id AND t.ordinal = r.ordinal
     WHERE r.item_id = ANY ($4) AND sha256(convert_to(t.text, 'UTF8')) = decode(r.content_hash, 'hex')
    ON CONFLICT DO NOTHING RETURNING item_id, ordinal),
  replaced AS (
    DELETE FROM langgraph_item_vectors v USING added a
     WHERE v.item_id = a.item_id AND v.ordinal = a.ordinal AND v.model <> $2)
  SELECT count(*)::integer AS count FROM added`;

/**
 * Adds vectors under one model to texts that still are what they were made of, deletes those of other models, and returns
 * how many were added. Items that somebody else is writing are passed by (`passedBy`, with those that are gone): a put sets
 * vectors of its own, and nobody waits in a ring for who writes several.
 */
export async function addItemVectors(
  tx: Tx,
  userId: string,
  { model, vectors }: { readonly model: string; readonly vectors: readonly LateItemVector[] },
): Promise<{ readonly added: number; readonly passedBy: number }> {
  const itemIds = [...new Set(vectors.map(({ itemId }) => itemId))];
  if (itemIds.length === 0 || !(await shareExistingUser(tx, userId))) return { added: 0, passedBy: 0 };
  const locked = await tx.query<Pick<LangGraphItemEntity, 'item_id'>>(
    'SELECT item_id FROM langgraph_items WHERE item_id = ANY ($1) FOR NO KEY UPDATE SKIP LOCKED',
    [itemIds],
  );
  // A statement of its own, so that it sees what was written before the lock.
  const [row] = await tx.query<{ count: number }>(ADD_SQL, [
    JSON.stringify(
      vectors.map(({ itemId, ordinal, contentHash, vector }) => ({
        item_id: itemId,
        ordinal,
        content_hash: contentHash.toString('hex'),
        vector: halfvecLiteral(vector),
      })),
    ),
    model,
    userId,
    locked.map(({ item_id: itemId }) => itemId),
  ]);
  return { added: row!.count, passedBy: itemIds.length - locked.length };
}

type RequestDependencies = Parameters<typeof requestUserWork>[3];

/**
 * Asks for the vectors of a user's items. Call it behind the last write of a transaction: a run that ends waits for whoever
 * asks, and holds items meanwhile.
 */
export function requestItemVectors(tx: Tx, userId: string, dependencies: RequestDependencies): Promise<void> {
  return requestUserWork(tx, 'item_vectors', userId, dependencies);
}

/** The same where no put has asked (`requestAbsentUserWork`). */
export function requestAbsentItemVectors(
  tx: Tx,
  userId: string,
  dependencies: RequestDependencies & { readonly failedUntil: number },
): Promise<number> {
  return requestAbsentUserWork(tx, 'item_vectors', userId, dependencies);
}
