import { MIN_GROWTH_TOKENS, type RequestedChanges } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import { type JobError, PermanentJobError, TransientJobError } from '@annals/messaging';
import { currentTraceparent, withSpan } from '@annals/observability';
import { type JobAttempt, type ClaimedBatch, type Infrastructure, randomBytes } from '@annals/runtime';
import {
  allOf,
  askForSummaries,
  type ContextObservation,
  findConversationOfBatch,
  isTransientDatabaseError,
  type MemoryWriteCommand,
  type MemoryWriteResult,
  observeContext,
  SecretKeyMismatchError,
  sqlState,
  type StatementComparison,
  type Tx,
  writeMemories,
} from '@annals/storage';
import type { LoadedBatch } from '../load/load-batch.js';

type WriteDependencies = Pick<Infrastructure, 'database' | 'clock' | 'ids' | 'logger' | 'metrics'>;

export interface BatchWrite {
  readonly requested: RequestedChanges;
  readonly comparison: StatementComparison;
  readonly embeddings: MemoryWriteCommand['embeddings'];
  readonly loaded: LoadedBatch;
}

/** Writes a batch in one transaction, and reports it. `undecided`: nothing is written, since a model is to decide. */
export async function writeBatch(
  deps: WriteDependencies,
  batch: ClaimedBatch,
  { requested, comparison, embeddings, loaded }: BatchWrite,
  { signal }: Pick<JobAttempt, 'signal'>,
): Promise<MemoryWriteResult> {
  signal.throwIfAborted();
  const { database, clock, ids, logger } = deps;
  const { tenantId, batchId, userId, fence, generation } = batch;
  const batchSize = requested.changes.length;
  const command: MemoryWriteCommand = {
    ...requested,
    userId,
    actor: 'extraction',
    node: 'hotpath',
    comparison,
    embeddings,
    batch: { id: batchId, fence, generation },
    trace: currentTraceparent() ?? null,
  };
  const startedMs = performance.now();
  try {
    const result = await withSpan('persist_batch', { 'annals.memories': batchSize }, () =>
      database.inTenantTogether(tenantId, userId, async (tx) => {
        const dependencies = { clock, ids, randomBytes };
        const [written, conversationId] = await allOf([
          writeMemories(tx, command, dependencies),
          findConversationOfBatch(tx, batchId),
        ]);
        if (written.outcome !== 'applied') return written;
        // In the same transaction as the batch, so that a repeated delivery does not count as a second signal.
        await observeContext(tx, toObservation(userId, loaded), dependencies);
        if (conversationId !== null)
          await askForSummary(tx, conversationId, loaded, { clock, ids, trace: command.trace });
        return written;
      }),
    );
    const durationMs = performance.now() - startedMs;
    if (result.outcome === 'applied') reportApplied(deps, batch, batchSize, result, durationMs);
    if (result.outcome === 'erased') reportErased(deps, batch);
    return result;
  } catch (error) {
    logger.warn('persistence_batch_rollback', { tenantId, batchId, reason: explainRollback(error) });
    throw error;
  }
}

function explainRollback(error: unknown): string {
  // The job waits as for an outage, but only an operator can end it.
  if (error instanceof SecretKeyMismatchError) return 'secret_key';
  return isTransientDatabaseError(error) ? 'transient' : (sqlState(error) ?? 'internal');
}

/** English has some four characters to a token. */
const CHARACTERS_PER_TOKEN = 4;

/** A batch that is enough for a summary by itself asks for it at once, any other as soon as its conversation is idle. */
function askForSummary(
  tx: Tx,
  conversationId: string,
  { messages }: Pick<LoadedBatch, 'messages'>,
  { clock, ids, trace = null }: Pick<Infrastructure, 'clock' | 'ids'> & Pick<MemoryWriteCommand, 'trace'>,
): Promise<number> {
  const now = clock.now();
  const length = messages.reduce((sum, { content }) => sum + content.length, 0);
  const isLong = length >= MIN_GROWTH_TOKENS * CHARACTERS_PER_TOKEN;
  return askForSummaries(tx, [conversationId], { now, ids, trace, ...(isLong ? { availableAt: now } : {}) });
}

/** SQLSTATE classes for which a retry cannot succeed: data exception (22), integrity constraint violation (23). */
const REFUSED_DATA = /^2[23]/;

/** The job error for a failed write (docs/reference/writes.md#database-errors-of-a-write), or undefined. */
export function translateWriteError(error: unknown): JobError | undefined {
  if (REFUSED_DATA.test(sqlState(error) ?? '')) return new PermanentJobError('invalid_request', { cause: error });
  if (!(error instanceof LLMError)) return undefined;
  const { type, retryAfterMs } = error;
  return new TransientJobError(type, retryAfterMs === undefined ? {} : { retryAfterMs });
}

/** The input for detecting the user context in a batch: its messages, and its memories that are not quarantined. */
function toObservation(userId: string, { messages, items }: LoadedBatch): ContextObservation {
  return {
    userId,
    messages,
    memories: items
      .filter(({ quarantineReason }) => quarantineReason === undefined)
      .map(({ content, evidence }) => ({ content, messageIds: evidence.map(({ message_id }) => message_id) })),
  };
}

function reportApplied(
  { metrics, logger, clock }: WriteDependencies,
  { tenantId, batchId, acceptedAt }: ClaimedBatch,
  batchSize: number,
  { counts }: Extract<MemoryWriteResult, { outcome: 'applied' }>,
  durationMs: number,
): void {
  const { inserted, updated, skippedDuplicate: skipped_duplicate, quarantined } = counts;
  metrics.observe('memory_llm_persist_latency_ms_summary', durationMs);
  metrics.add('memory_llm_persist_inserted_total', inserted);
  metrics.add('memory_llm_persist_updated_total', updated);
  metrics.add('memory_llm_persist_skipped_duplicate_total', skipped_duplicate);
  metrics.add('memory_llm_persist_quarantined_total', quarantined);
  metrics.add('memory_llm_persist_superseded_total', counts.superseded);
  metrics.inc('memory_llm_batches_total', { state: 'done' });
  metrics.observe('memory_llm_batch_duration_ms', clock.now() - acceptedAt, { state: 'done' });
  const changed = { inserted, updated, skipped_duplicate, quarantined };
  logger.info('persistence_batch_commit', { tenantId, batchId, durationMs, batchSize, ...changed });
}

function reportErased({ metrics, logger }: WriteDependencies, { tenantId, batchId }: ClaimedBatch): void {
  // Not `failed`: nothing is wrong, and the alerts on failed batches must not wake anybody.
  metrics.inc('memory_llm_batches_total', { state: 'erased' });
  logger.warn('batch_failed', { tenantId, batchId, reason: 'erased' });
}
