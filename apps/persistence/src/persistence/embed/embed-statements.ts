import type { StatementVectors } from '@annals/domain';
import { isRetryable, LLMError } from '@annals/llm-core';
import type { JobAttempt, ClaimedBatch, Infrastructure } from '@annals/runtime';
import type { LoadedBatch } from '../load/load-batch.js';
import type { ContentEmbedder, ContentEmbeddings } from './content-embedder.js';

/** The vectors of a batch's new statements: to be stored, and to be compared with those of other memories. */
export interface EmbeddedStatements {
  /** By content; contents without one are found by lexical search only. */
  readonly embeddings: ContentEmbeddings;
  readonly statements: StatementVectors;
}

/** Embeds the memories of a batch that are not quarantined. @throws what `embedContents` throws, if a retry may help */
export async function embedStatements(
  { logger }: Pick<Infrastructure, 'logger'>,
  embedder: ContentEmbedder,
  batch: ClaimedBatch,
  { items }: Pick<LoadedBatch, 'items'>,
  attempt: Pick<JobAttempt, 'attemptsLeft' | 'signal'>,
): Promise<EmbeddedStatements> {
  const contents = items.filter(({ quarantineReason }) => quarantineReason === undefined).map(({ content }) => content);
  const embeddings = await embedOrDegrade(logger, embedder, batch, contents, attempt);
  attempt.signal.throwIfAborted();
  const { model, profile } = embedder;
  const vectors = new Map([...embeddings].map(([content, { vector }]) => [content, vector]));
  return { embeddings, statements: { model, bands: profile.bands, vectors } };
}

/**
 * When the embedding server is unavailable, the batch is retried, and written without vectors at its last attempt, or
 * immediately where a retry would not help, as with an exhausted budget. Until they are embedded, its memories are
 * found by lexical search only (docs/reference/recall.md#degraded-answers).
 */
async function embedOrDegrade(
  logger: Infrastructure['logger'],
  embedder: ContentEmbedder,
  { tenantId, userId, batchId, fence, generation }: ClaimedBatch,
  contents: readonly string[],
  { attemptsLeft, signal }: Pick<JobAttempt, 'attemptsLeft' | 'signal'>,
): Promise<ContentEmbeddings> {
  try {
    const billingContext = { tenantId, userId, batch: { batchId, fence, generation } };
    return await embedder.embedContents(billingContext, contents, signal);
  } catch (error) {
    if (signal.aborted || shouldRetryEmbedding(error, attemptsLeft)) throw error;
    const reason = error instanceof LLMError ? error.type : 'unknown';
    logger.warn('embeddings_degraded', { tenantId, batchId, reason });
    return new Map();
  }
}

/** Whether a failed embedding call is worth a retry of the job; otherwise memories are written without vectors. */
export function shouldRetryEmbedding(error: unknown, attemptsLeft: number): boolean {
  return !(error instanceof LLMError) || (isRetryable(error.type) && attemptsLeft > 0);
}
