import { itemVectorsQueue } from '@annals/contracts';
import { LLMError } from '@annals/llm-core';
import { PermanentJobError } from '@annals/messaging';
import {
  type ClaimedWork,
  commitWork,
  type Infrastructure,
  isTextRefusal,
  type JobAttempt,
  type WorkEnding,
  type WorkStage,
} from '@annals/runtime';
import {
  addItemVectors,
  loadTextsWithoutVector,
  type TextsWithoutVector,
  type TextWithoutVector,
} from '@annals/storage';
import type { ContentEmbedder } from '../persistence/embed/content-embedder.js';
import { divideTexts } from './divide-texts.js';
import { type AcceptedEmbeddings, embedAccepted } from './embed-accepted.js';
import { askAgain, endWithProblem } from './end-with-problem.js';

/** Texts of one run. A user with more gets another run, after the other users and tenants who wait. */
const RUN_SIZE = 100;
/** Until what somebody else was writing is looked at again, in ms. */
const BUSY_DELAY_MS = 60_000;

export interface ItemVectorsDependencies extends Pick<
  Infrastructure,
  'database' | 'clock' | 'ids' | 'rng' | 'metrics' | 'logger'
> {
  readonly embedder: Pick<ContentEmbedder, 'model' | 'embedContents'>;
}

/**
 * Embeds texts of a user's items of LangGraph's store that have no vector: those whose put found no model or no budget, and
 * all of them after a change of the embedding model (docs/reference/langgraph-store.md#late-vectors). Each page is committed
 * on its own; what has a vector is not found again.
 */
export function createItemVectorsStage(
  dependencies: ItemVectorsDependencies,
  { leaseMs }: { readonly leaseMs: number },
): WorkStage<TextsWithoutVector | null> {
  const { embedder, clock } = dependencies;
  return {
    definition: itemVectorsQueue,
    leaseMs,
    load: (tx, subjectId) =>
      loadTextsWithoutVector(tx, { subjectId, model: embedder.model, now: clock.now(), limit: RUN_SIZE }),
    run: (work, missing, attempt) => addMissing(dependencies, work, missing, attempt),
    translate: (error) => (error instanceof LLMError ? new PermanentJobError(error.type) : undefined),
  };
}

/** What the pages of a run have come to. */
interface Outcome {
  added: number;
  passedBy: number;
  problem: LLMError | undefined;
  /** Some texts were not tried for the calls that others took. */
  isPartial: boolean;
}

async function addMissing(
  dependencies: ItemVectorsDependencies,
  work: ClaimedWork,
  missing: TextsWithoutVector | null,
  attempt: JobAttempt,
): Promise<WorkEnding> {
  const { database, clock, ids } = dependencies;
  const kind = itemVectorsQueue.name;
  // Without a user, they were erased.
  const { added, passedBy, problem, isPartial } = await addPages(dependencies, work, missing, attempt);
  const isRunFull = missing?.texts.length === RUN_SIZE;
  attempt.signal.throwIfAborted();
  if (problem) return endWithProblem(dependencies, work, problem, { kind, added, mayHaveMore: isRunFull || isPartial });
  await commitWork(database, work, async (tx) => {
    const now = clock.now();
    // Nothing is added for a user who was erased meanwhile.
    if (isRunFull && added > 0) await askAgain(tx, work, kind, { now, ids });
    else if (passedBy > 0) await askAgain(tx, work, kind, { now, ids, availableAt: now + BUSY_DELAY_MS });
  });
  return { ends: 'done' };
}

async function addPages(
  dependencies: ItemVectorsDependencies,
  { tenantId }: ClaimedWork,
  missing: TextsWithoutVector | null,
  attempt: JobAttempt,
): Promise<Outcome> {
  const { database, embedder } = dependencies;
  const outcome: Outcome = { added: 0, passedBy: 0, problem: undefined, isPartial: false };
  for (const page of divideTexts(missing?.texts ?? [])) {
    attempt.signal.throwIfAborted();
    const { embeddings, problem, isPartial } = await embed(dependencies, tenantId, page, attempt);
    const vectors = page.flatMap(({ itemId, ordinal, text }) => {
      const embedding = embeddings.get(text);
      return embedding ? [{ itemId, ordinal, ...embedding }] : [];
    });
    // The others get their vectors before the error decides about the work.
    const { added, passedBy } = await database.inTenant(tenantId, (tx) =>
      addItemVectors(tx, missing!.userId, { model: embedder.model, vectors }),
    );
    outcome.added += added;
    outcome.passedBy += passedBy;
    outcome.isPartial ||= isPartial;
    outcome.problem ??= problem;
    if (problem && !isTextRefusal(problem)) return { ...outcome, problem };
  }
  return outcome;
}

function embed(
  { embedder }: ItemVectorsDependencies,
  tenantId: string,
  page: readonly TextWithoutVector[],
  { signal, withoutSlot }: JobAttempt,
): Promise<AcceptedEmbeddings> {
  // Billed without a user id: the user may be erased before the call is settled.
  const billingContext = { tenantId, userId: null, batch: null };
  const texts = [...new Set(page.map(({ text }) => text))];
  return withoutSlot(() => embedAccepted(texts, (some) => embedder.embedContents(billingContext, some, signal)));
}
