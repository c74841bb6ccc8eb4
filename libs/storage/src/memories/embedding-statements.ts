import type { Tx } from '../database/transaction.js';

/** A vector and what it is the vector of. */
export interface ContentEmbedding {
  readonly model: string;
  /** SHA-256 of the exact text that was embedded. */
  readonly contentHash: Buffer;
  readonly vector: Float32Array;
}

/** Below what a float32 of a vector's usual size can tell apart. */
const DIGITS = 8;
const SCALE = 10 ** DIGITS;

/**
 * pgvector's text form, of vectors at unit length: whole numbers with an exponent, since a float32 written as a double
 * has seventeen digits: twice as much to make, to send and to read.
 */
export function vectorLiteral(vector: Float32Array): string {
  const scaled = new Int32Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) scaled[index] = Math.round(vector[index]! * SCALE);
  return `[${scaled.join(`e-${DIGITS},`)}e-${DIGITS}]`;
}

export function insertEmbeddings(
  tx: Tx,
  userId: string,
  embeddings: readonly (ContentEmbedding & { readonly memoryId: string })[],
) {
  return tx.execute(
    `INSERT INTO memory_embeddings (user_id, model, memory_id, content_hash, embedding)
     SELECT $2, r.model, r.memory_id, decode(r.content_hash, 'hex'), r.embedding::vector
       FROM json_to_recordset($1) AS r (memory_id uuid, model text, content_hash text, embedding text)
     ON CONFLICT DO NOTHING`,
    [
      JSON.stringify(
        embeddings.map((embedding) => ({
          memory_id: embedding.memoryId,
          model: embedding.model,
          content_hash: embedding.contentHash.toString('hex'),
          embedding: vectorLiteral(embedding.vector),
        })),
      ),
      userId,
    ],
  );
}

/** Vectors that the tenant already has for these texts under this model, by content hash in hex. */
export async function loadCachedEmbeddings(
  tx: Tx,
  model: string,
  contentHashes: readonly Buffer[],
): Promise<Map<string, Float32Array>> {
  const rows = await tx.query<{ content_hash: Buffer; embedding: string }>(
    `SELECT DISTINCT ON (content_hash) content_hash, embedding::text AS embedding
       FROM memory_embeddings WHERE model = $1 AND content_hash = ANY ($2)`,
    [model, contentHashes],
  );
  return new Map(
    rows.map((row) => [row.content_hash.toString('hex'), Float32Array.from(JSON.parse(row.embedding) as number[])]),
  );
}
