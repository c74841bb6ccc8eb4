import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { toScanStep, type ScannedRow, type ScanPosition, type ScanStep } from '../lifecycle/memory-scan.js';
import { type ContentEmbedding, insertEmbeddings } from './embedding-statements.js';

/** Scans the next `scan` memories of all tenants and returns the active ones without a vector of the model. */
export async function findWithoutVector(
  database: Database,
  { model, after, scan }: { readonly model: string; readonly after: ScanPosition; readonly scan: number },
): Promise<ScanStep> {
  return toScanStep(
    await database.callAcrossTenants<ScannedRow>('find_without_vector($1, $2, $3, $4)', [
      model,
      after.tenantId,
      after.memoryId,
      scan,
    ]),
  );
}

/** Contents of those of these memories that are still active, by id. */
export async function loadContents(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<Pick<MemoryEntity, 'id' | 'content'>>(
    "SELECT id, content FROM memories WHERE id = ANY ($1) AND state = 'active'",
    [memoryIds],
  );
  return new Map(rows.map(({ id, content }) => [id, content]));
}

/** Inserts the vectors of memories, except of those that were purged meanwhile. Returns how many were inserted. */
export async function addVectors(
  tx: Tx,
  userId: string,
  embeddings: readonly (ContentEmbedding & { readonly memoryId: string })[],
): Promise<number> {
  const rows = await tx.query<Pick<MemoryEntity, 'id'>>('SELECT id FROM memories WHERE id = ANY ($1) FOR KEY SHARE', [
    embeddings.map(({ memoryId }) => memoryId),
  ]);
  const present = new Set(rows.map(({ id }) => id));
  const added = embeddings.filter(({ memoryId }) => present.has(memoryId));
  if (added.length > 0) await insertEmbeddings(tx, userId, added);
  return added.length;
}
