import { vectorsQueue } from '@annals/contracts';
import { LLMError } from '@annals/llm-core';
import { PermanentJobError } from '@annals/messaging';
import {
  type ClaimedWork,
  commitWork,
  type Infrastructure,
  type JobAttempt,
  randomBytes,
  type WorkEnding,
  type WorkStage,
} from '@annals/runtime';
import { addVectors, loadWithoutVector, type MemoriesWithoutVector, type Tx } from '@annals/storage';
import { translateWriteError } from '../persistence/commit/write-batch.js';
import type { ContentEmbedder, ContentEmbeddings } from '../persistence/embed/content-embedder.js';
import { type AcceptedEmbeddings, embedAccepted } from './embed-accepted.js';
import { askAgain, endWithProblem } from './end-with-problem.js';

const KIND = vectorsQueue.name;
/** Memories of one run. A user with more gets another run, after the other users and tenants who wait. */
const RUN_SIZE = 100;
/** Memories that are compared in one transaction, during which other writes of their user wait. */
const COMPARE_BATCH_SIZE = 20;
/** The actor in the audit history. */
const ACTOR = 'memory_vectors';

export interface VectorsDependencies extends Pick<
  Infrastructure,
  'database' | 'clock' | 'ids' | 'rng' | 'metrics' | 'logger'
> {
  readonly embedder: ContentEmbedder;
}

/**
 * Embeds a user's memories that have no vector: those that were written while embeddings were unavailable or the budget
 * was exhausted, and all of them after a change of the embedding model. Until then they are found by lexical search
 * only, have no relations, and were not compared with similar memories. What has a vector has all of these: a killed run
 * leaves nothing half-done, and nothing that the next one would do twice.
 */
export function createVectorsStage(
  dependencies: VectorsDependencies,
  { leaseMs }: { readonly leaseMs: number },
): WorkStage<MemoriesWithoutVector | null> {
  const { model } = dependencies.embedder;
  return {
    definition: vectorsQueue,
    leaseMs,
    load: (tx, subjectId) => loadWithoutVector(tx, { subjectId, model, limit: RUN_SIZE }),
    run: (work, missing, attempt) => addMissing(dependencies, work, missing, attempt),
    translate: (error) => (error instanceof LLMError ? new PermanentJobError(error.type) : translateWriteError(error)),
  };
}

async function addMissing(
  dependencies: VectorsDependencies,
  work: ClaimedWork,
  missing: MemoriesWithoutVector | null,
  attempt: JobAttempt,
): Promise<WorkEnding> {
  const { database } = dependencies;
  const { tenantId } = work;
  const { signal } = attempt;
  // The user was erased, or everything has a vector by now.
  if (!missing || missing.statements.length === 0) {
    await commitWork(database, work, async () => undefined);
    return { ends: 'done' };
  }
  const { embeddings, problem, isPartial } = await embed(dependencies, tenantId, missing, attempt);
  const isRunFull = missing.statements.length === RUN_SIZE;
  if (!problem) {
    await addInSteps(dependencies, work, missing, embeddings, { signal, isRunFull, ends: true });
    return { ends: 'done' };
  }
  // The others get their vectors before the error decides about the work.
  const accepted = { ...missing, statements: missing.statements.filter(({ content }) => embeddings.has(content)) };
  const added = await addInSteps(dependencies, work, accepted, embeddings, { signal, isRunFull, ends: false });
  signal.throwIfAborted();
  return endWithProblem(dependencies, work, problem, { kind: KIND, added, mayHaveMore: isRunFull || isPartial });
}

function embed(
  { embedder }: VectorsDependencies,
  tenantId: string,
  { statements }: MemoriesWithoutVector,
  { signal, withoutSlot }: JobAttempt,
): Promise<AcceptedEmbeddings> {
  // Billed without a user id: the user may be erased before the call is settled.
  const billingContext = { tenantId, userId: null, batch: null };
  const contents = [...new Set(statements.map(({ content }) => content))];
  return withoutSlot(() => embedAccepted(contents, (some) => embedder.embedContents(billingContext, some, signal)));
}

/**
 * Adds vectors step by step and returns how many. When it `ends` the work, the last step does, or asks for it again when
 * there may be more.
 */
async function addInSteps(
  { database, clock, ids, metrics, embedder }: VectorsDependencies,
  work: ClaimedWork,
  { userId, statements }: MemoriesWithoutVector,
  embeddings: ContentEmbeddings,
  { signal, isRunFull, ends }: { readonly signal: AbortSignal; readonly isRunFull: boolean; readonly ends: boolean },
): Promise<number> {
  const { model, profile } = embedder;
  const addition = { userId, actor: ACTOR, model, bands: profile.bands, embeddings };
  let total = 0;
  for (let start = 0; start < statements.length; start += COMPARE_BATCH_SIZE) {
    signal.throwIfAborted();
    const step = statements.slice(start, start + COMPARE_BATCH_SIZE);
    const add = (tx: Tx) => addVectors(tx, { ...addition, statements: step }, { clock, ids, randomBytes });
    const isLast = start + COMPARE_BATCH_SIZE >= statements.length;
    const before = total;
    const { added, merged } = await (ends && isLast
      ? commitWork(database, work, async (tx) => {
          const result = await add(tx);
          // Nothing is added for a user who was erased meanwhile.
          if (before + result.added > 0 && isRunFull) await askAgain(tx, work, KIND, { now: clock.now(), ids });
          return result;
        })
      : database.inTenant(work.tenantId, add));
    total += added;
    metrics.add('memory_llm_late_merges_total', merged);
  }
  return total;
}
