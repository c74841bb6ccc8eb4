import { LLMError } from '@annals/llm-core';
import {
  groupByUser,
  type MaintenanceJob,
  type MaintenanceProgress,
  type MaintenanceRun,
  type MemoryChunk,
  parseWalkCursor,
  startTimeBudget,
  toWalkCursor,
} from '@annals/runtime';
import { addVectors, findWithoutVector, loadContents, SCAN_START } from '@annals/storage';
import type { ContentEmbedder } from '../persistence/embed/content-embedder.js';

const INTERVAL_MS = 60 * 60 * 1_000;
const SCAN_BATCH_SIZE = 1_000;

/**
 * Embeds memories without a vector: those that were written while embeddings were unavailable or the budget was
 * exhausted, and all of them after a change of the embedding model. Until then they are found by lexical search only.
 */
export function createVectorJob(embedder: ContentEmbedder): MaintenanceJob {
  return { name: 'memory_vectors', intervalMs: INTERVAL_MS, run: (run) => addMissing(run, embedder) };
}

/** An error of the server ends the run; a tenant whose budget is exhausted is skipped. */
async function addMissing(run: MaintenanceRun, embedder: ContentEmbedder): Promise<MaintenanceProgress> {
  const shouldContinue = startTimeBudget(run);
  let position = parseWalkCursor(run.cursor, SCAN_START);
  let done = 0;
  let problem: unknown;
  while (shouldContinue()) {
    const found = await findWithoutVector(run.database, {
      model: embedder.model,
      after: position,
      scan: SCAN_BATCH_SIZE,
    });
    for (const chunk of groupByUser(found.due)) {
      if (!shouldContinue()) return { done, cursor: toWalkCursor(position), problem };
      try {
        done += await addToChunk(run, embedder, chunk);
      } catch (error) {
        if (!(error instanceof LLMError) || error.type !== 'budget_exceeded') throw error;
        problem ??= error;
      }
    }
    if (found.position === null) return { done, cursor: null, problem };
    position = found.position;
  }
  return { done, cursor: toWalkCursor(position), problem };
}

async function addToChunk(
  { database, signal }: MaintenanceRun,
  embedder: ContentEmbedder,
  { tenantId, userId, memoryIds }: MemoryChunk,
): Promise<number> {
  const contents = await database.readTenant(tenantId, (tx) => loadContents(tx, memoryIds));
  // Billed without a user id: the user may be erased before the call is settled.
  const billingContext = { tenantId, userId: null, batch: null };
  const embeddings = await embedder.embedContents(billingContext, [...new Set(contents.values())], signal);
  const missing = [...contents].map(([memoryId, content]) => ({ memoryId, ...embeddings.get(content)! }));
  return database.inTenant(tenantId, (tx) => addVectors(tx, userId, missing));
}
