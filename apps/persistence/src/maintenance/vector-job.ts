import type { IdGenerator } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import type { Metrics } from '@annals/observability';
import {
  groupByUser,
  type MaintenanceJob,
  type MaintenanceProgress,
  type MaintenanceRun,
  type MemoryChunk,
  parseWalkCursor,
  randomBytes,
  startTimeBudget,
  toWalkCursor,
} from '@annals/runtime';
import { addVectors, findWithoutVector, loadStatements, SCAN_START } from '@annals/storage';
import type { ContentEmbedder } from '../persistence/embed/content-embedder.js';

const INTERVAL_MS = 60 * 60 * 1_000;
const SCAN_BATCH_SIZE = 1_000;
/** Memories that are compared in one transaction, during which other writes of their user wait. */
const COMPARE_BATCH_SIZE = 20;
const NAME = 'memory_vectors';

/**
 * Embeds memories without a vector: those that were written while embeddings were unavailable or the budget was
 * exhausted, and all of them after a change of the embedding model, which merges none that had vectors before. Until
 * then they are found by lexical search only, have no relations, and were not compared with similar memories. What has a vector has all of these: a killed run
 * leaves nothing half-done, and nothing that the next one would do twice.
 */
export function createVectorJob(dependencies: VectorJobDependencies): MaintenanceJob {
  return { name: NAME, intervalMs: INTERVAL_MS, run: (run) => addMissing(run, dependencies) };
}

interface VectorJobDependencies {
  readonly embedder: ContentEmbedder;
  readonly ids: IdGenerator;
  readonly metrics: Metrics;
}

/** An error of the server ends the run; a tenant whose budget is exhausted is skipped. */
async function addMissing(run: MaintenanceRun, dependencies: VectorJobDependencies): Promise<MaintenanceProgress> {
  const shouldContinue = startTimeBudget(run);
  let position = parseWalkCursor(run.cursor, SCAN_START);
  let done = 0;
  let problem: unknown;
  while (shouldContinue()) {
    const found = await findWithoutVector(run.database, {
      model: dependencies.embedder.model,
      after: position,
      scan: SCAN_BATCH_SIZE,
    });
    for (const chunk of groupByUser(found.due)) {
      if (!shouldContinue()) return { done, cursor: toWalkCursor(position), problem };
      try {
        done += await addToChunk(run, dependencies, chunk);
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
  { database, clock, signal }: MaintenanceRun,
  { embedder, ids, metrics }: VectorJobDependencies,
  { tenantId, userId, memoryIds }: MemoryChunk,
): Promise<number> {
  const missing = await database.readTenant(tenantId, (tx) => loadStatements(tx, memoryIds));
  // Billed without a user id: the user may be erased before the call is settled.
  const billingContext = { tenantId, userId: null, batch: null };
  const contents = [...new Set(missing.map(({ content }) => content))];
  const embeddings = await embedder.embedContents(billingContext, contents, signal);
  const { model, profile } = embedder;
  const addition = { userId, actor: NAME, model, bands: profile.bands, embeddings };
  let added = 0;
  for (let start = 0; start < missing.length; start += COMPARE_BATCH_SIZE) {
    signal.throwIfAborted();
    const statements = missing.slice(start, start + COMPARE_BATCH_SIZE);
    const step = await database.inTenant(tenantId, (tx) =>
      addVectors(tx, { ...addition, statements }, { clock, ids, randomBytes }),
    );
    added += step.added;
    metrics.add('memory_llm_late_merges_total', step.merged);
  }
  return added;
}
