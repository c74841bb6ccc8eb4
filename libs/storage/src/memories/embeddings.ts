import type { IdGenerator } from '@annals/domain';
import type { Database } from '../database/database.js';
import { defineSet } from '../database/set-statement.js';
import type { Nullable, Tx } from '../database/transaction.js';
import type { MemoryEmbeddingEntity, MemoryEntity } from '../entities/memory.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { type ScanPosition, type ScanStep, toScanStep } from '../lifecycle/memory-scan.js';
import { requestAbsentUserWork } from '../work/request-user-work.js';
import { halfvecLiteral, readHalfvec, vectorColumn } from '../vectors/index.js';

/** A vector and the hash of the text that it represents. */
export interface ContentEmbedding {
  readonly model: string;
  /** SHA-256 of the exact text that was embedded. */
  readonly contentHash: Buffer;
  readonly vector: Float32Array;
}

export function insertEmbeddings(
  tx: Tx,
  userId: string,
  embeddings: readonly (ContentEmbedding & { readonly memoryId: string })[],
) {
  return tx.each(INSERT_EMBEDDINGS, {
    user_id: userId,
    rows: embeddings.map(({ memoryId, model, contentHash, vector }) => ({
      memory_id: memoryId,
      model,
      content_hash: contentHash.toString('hex'),
      [vectorColumn(userId, model, vector.length)]: halfvecLiteral(vector),
    })),
  });
}

const INSERT_EMBEDDINGS = defineSet<{ user_id: string; rows: readonly object[] }>(
  'user_id text, rows json',
  `INSERT INTO memory_embeddings (user_id, model, memory_id, content_hash, narrow, wide)
   SELECT given.user_id, r.model, r.memory_id, decode(r.content_hash, 'hex'), r.narrow::halfvec, r.wide::halfvec
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (memory_id uuid, model text, content_hash text, narrow text, wide text)
   ON CONFLICT DO NOTHING`,
);

/** Copies the vectors of memories with the same content to other rows. */
export function copyEmbeddings(tx: Tx, copies: readonly { readonly fromId: string; readonly toId: string }[]) {
  return tx.execute(
    `INSERT INTO memory_embeddings (user_id, model, memory_id, content_hash, narrow, wide)
     SELECT e.user_id, e.model, r.to_id, e.content_hash, e.narrow, e.wide
       FROM json_to_recordset($1) AS r (from_id uuid, to_id uuid)
       JOIN memory_embeddings e ON e.memory_id = r.from_id
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(copies.map(({ fromId, toId }) => ({ from_id: fromId, to_id: toId })))],
  );
}

/** Vectors that the tenant already has for these texts under this model, by content hash in hex. */
export async function loadCachedEmbeddings(
  tx: Tx,
  model: string,
  contentHashes: readonly Buffer[],
): Promise<Map<string, Float32Array>> {
  const rows = await tx.query<Pick<MemoryEmbeddingEntity, 'content_hash'> & { vector: Buffer }>(
    `SELECT DISTINCT ON (content_hash) content_hash, halfvec_send(coalesce(narrow, wide)) AS vector
       FROM memory_embeddings WHERE model = $1 AND content_hash = ANY ($2)`,
    [model, contentHashes],
  );
  return new Map(rows.map((row) => [row.content_hash.toString('hex'), readHalfvec(row.vector)]));
}

/**
 * Active memories of all tenants by the model of their vector, each counted once: under the configured model, or under
 * another one if it has none of that; `model` null: without any vector.
 */
export interface VectorCount {
  readonly model: string | null;
  readonly memories: number;
}

/** Counts by model, which reads every memory. */
export async function countVectors(database: Database, configuredModel: string): Promise<VectorCount[]> {
  const rows = await database.callAcrossTenants<{ model: string | null; memories: string }>('count_vectors', [
    configuredModel,
  ]);
  return rows.map(({ model, memories }) => ({ model, memories: Number(memories) }));
}

/** Scans the next `scan` memories of all tenants and returns the active ones without a vector of the model. */
export async function findWithoutVector(
  database: Database,
  { model, after, scan }: { readonly model: string; readonly after: ScanPosition; readonly scan: number },
): Promise<ScanStep> {
  const parameters = [model, after.tenantId, after.memoryId, scan];
  return toScanStep(await database.callAcrossTenants('find_without_vector', parameters));
}

/** Active memories of one user without a vector of the model. */
export interface MemoriesWithoutVector {
  readonly userId: string;
  readonly statements: readonly Pick<MemoryEntity, 'id' | 'content' | 'type'>[];
}

/** The oldest of them, at most `limit`; null when no user has the subject id any more. */
export async function loadWithoutVector(
  tx: Tx,
  { subjectId, model, limit }: { readonly subjectId: string; readonly model: string; readonly limit: number },
): Promise<MemoriesWithoutVector | null> {
  const rows = await tx.query<Pick<UserEntity, 'user_id'> & Nullable<MemoriesWithoutVector['statements'][number]>>(
    `SELECT u.user_id, m.id, m.content, m.type FROM users u
       LEFT JOIN LATERAL (
         SELECT s.id, s.content, s.type, s.recorded_at FROM memories s
          WHERE s.tenant_id = u.tenant_id AND s.user_id = u.user_id AND s.state = 'active'
            AND NOT EXISTS (SELECT FROM memory_embeddings e
                             WHERE e.tenant_id = s.tenant_id AND e.memory_id = s.id AND e.model = $2)
          ORDER BY s.recorded_at, s.id LIMIT $3) m ON true
      WHERE u.subject_id = $1 ORDER BY m.recorded_at, m.id`,
    [subjectId, model, limit],
  );
  const [first] = rows;
  if (!first) return null;
  const statements = rows.flatMap(({ id, content, type }) =>
    id === null ? [] : [{ id, content: content!, type: type! }],
  );
  return { userId: first.user_id, statements };
}

/**
 * Asks for the vectors of a user's memories, unless they were asked for before. What has failed is asked for again, unless
 * that was after `failedUntil` (epoch ms). Returns how many requests were new.
 */
export function requestVectors(
  tx: Tx,
  userId: string,
  dependencies: { readonly now: number; readonly ids: IdGenerator; readonly failedUntil: number },
): Promise<number> {
  return requestAbsentUserWork(tx, 'vectors', userId, dependencies);
}
