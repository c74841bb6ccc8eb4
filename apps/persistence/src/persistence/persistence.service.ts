import type { Config } from '@annals/config';
import type { Clock, IdGenerator } from '@annals/domain';
import { LLMError, type LLMProvider } from '@annals/llm-core';
import type { JobOutcome, OutboxRelay } from '@annals/messaging';
import { type Logger, type Metrics, withSpan } from '@annals/observability';
import {
  type BatchAttempt,
  type ClaimedBatch,
  CLOCK,
  CONFIG,
  DATABASE,
  IDS,
  LOGGER,
  METRICS,
  MODEL_CALLS,
  type ModelCalls,
  randomBytes,
  RELAY,
} from '@annals/runtime';
import {
  type Database,
  isTransientDatabaseError,
  type MemoryWriteCommand,
  type MemoryWriteResult,
  observeContext,
  type PastReconciliation,
  sqlState,
  writeMemories,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { BatchReconciliation } from '../reconciliation/batch-reconciliation.js';
import type { RequestedChanges } from '../reconciliation/classify-statements.js';
import { buildChanges } from './build-changes.js';
import { buildObservation } from './build-observation.js';
import { ContentEmbedder, type ContentEmbeddings, NO_EMBEDDINGS } from './content-embedder.js';
import type { LoadedBatch } from './load-batch.js';
import { DECIDERS } from './persistence.tokens.js';
import { shouldRetryEmbedding } from './translate-write-error.js';

type Applied = Extract<MemoryWriteResult, { outcome: 'applied' }>;

/** Writes the extracted memories of a batch: embeds them first, then writes everything in one transaction. */
@Injectable()
export class PersistenceService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ContentEmbedder) private readonly embedder: ContentEmbedder,
    @Inject(RELAY) private readonly relay: OutboxRelay,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(DECIDERS) private readonly deciders: readonly LLMProvider[],
    @Inject(MODEL_CALLS) private readonly calls: ModelCalls | null,
    @Inject(CONFIG) private readonly config: Config<'llm'>,
  ) {}

  /** Runs the steps in order. `skipped`: another worker has the batch, or it is already written. */
  async persistBatch(batch: ClaimedBatch, loaded: LoadedBatch, attempt: BatchAttempt): Promise<JobOutcome> {
    const { changes, links } = buildChanges({ ...loaded, acceptedAt: batch.acceptedAt });
    const served = loaded.items.filter(({ quarantineReason }) => quarantineReason === undefined);
    const embedded = await this.embed(
      batch,
      served.map(({ content }) => content),
      attempt,
    );
    attempt.signal.throwIfAborted();
    const reconciliation = this.reconcile(batch, { changes, links }, embedded, loaded.reconciliations);
    const command: MemoryWriteCommand = {
      userId: batch.userId,
      actor: 'extraction',
      node: 'hotpath',
      changes,
      decide: (tx, chainSeq) => reconciliation.decide(tx, chainSeq),
      embeddings: embedded.embeddings,
      batch: { id: batch.batchId, fence: batch.fence, generation: batch.generation },
    };
    let result: MemoryWriteResult;
    do {
      await reconciliation.requestDecisions(attempt);
      attempt.signal.throwIfAborted();
      result = await this.write(batch, command, loaded);
      // The memories that the model compared have changed, or there are new ones: it is called again.
    } while (result.outcome === 'undecided');
    // The batch has left the outbox, so another one of its tenant may be released.
    this.relay.kick();
    return result.outcome === 'applied' || result.outcome === 'erased' ? 'done' : 'skipped';
  }

  private reconcile(
    batch: ClaimedBatch,
    requestedChanges: RequestedChanges,
    { embeddings }: ContentEmbeddings,
    past: readonly PastReconciliation[],
  ): BatchReconciliation {
    const { database, clock, logger, metrics, embedder } = this;
    const vectors = new Map([...embeddings].map(([content, { vector }]) => [content, vector]));
    const statements = { model: embedder.model, bands: embedder.profile.bands, vectors };
    const callOptions =
      this.calls && this.deciders.length > 0
        ? { providers: this.deciders, calls: this.calls, ...this.config.llm }
        : null;
    return new BatchReconciliation(
      { database, clock, logger, metrics, callOptions },
      batch,
      requestedChanges,
      statements,
      past,
    );
  }

  /**
   * When the embedding server is unavailable, the batch is retried, and written without vectors at its last attempt, or
   * immediately where a retry would not help, as with an exhausted budget. Until they are embedded, its memories are
   * found by lexical search only (docs/reference/recall.md#degraded-answers).
   */
  private async embed(
    { tenantId, userId, batchId, fence, generation }: ClaimedBatch,
    contents: readonly string[],
    { attemptsLeft, signal }: BatchAttempt,
  ): Promise<ContentEmbeddings> {
    try {
      const billingContext = { tenantId, userId, batch: { batchId, fence, generation } };
      return await this.embedder.embedContents(billingContext, contents, signal);
    } catch (error) {
      if (signal.aborted || shouldRetryEmbedding(error, attemptsLeft)) throw error;
      const reason = error instanceof LLMError ? error.type : 'unknown';
      this.logger.warn('embeddings_degraded', { tenantId, batchId, reason });
      return NO_EMBEDDINGS;
    }
  }

  private async write(
    batch: ClaimedBatch,
    command: MemoryWriteCommand,
    loaded: LoadedBatch,
  ): Promise<MemoryWriteResult> {
    const startedMs = performance.now();
    try {
      const result = await withSpan('persist_batch', { 'annals.memories': command.changes.length }, () =>
        this.database.inTenant(batch.tenantId, async (tx) => {
          const dependencies = { clock: this.clock, ids: this.ids, randomBytes };
          const written = await writeMemories(tx, command, dependencies);
          // In the same transaction as the batch, so that a repeated delivery does not count as a second signal.
          if (written.outcome === 'applied')
            await observeContext(tx, buildObservation(batch.userId, loaded), dependencies);
          return written;
        }),
      );
      const durationMs = performance.now() - startedMs;
      if (result.outcome === 'applied') this.reportApplied(batch, command, result, durationMs);
      if (result.outcome === 'erased') this.reportErased(batch);
      return result;
    } catch (error) {
      this.logger.warn('persistence_batch_rollback', {
        tenantId: batch.tenantId,
        batchId: batch.batchId,
        reason: describeRollback(error),
      });
      throw error;
    }
  }

  private reportApplied(
    { tenantId, batchId, acceptedAt }: ClaimedBatch,
    command: MemoryWriteCommand,
    { counts }: Applied,
    durationMs: number,
  ): void {
    const { metrics, logger } = this;
    metrics.observe('memory_llm_persist_latency_ms_summary', durationMs);
    metrics.add('memory_llm_persist_inserted_total', counts.inserted);
    metrics.add('memory_llm_persist_updated_total', counts.updated);
    metrics.add('memory_llm_persist_skipped_duplicate_total', counts.skippedDuplicate);
    metrics.add('memory_llm_persist_quarantined_total', counts.quarantined);
    metrics.inc('memory_llm_batches_total', { state: 'done' });
    metrics.observe('memory_llm_batch_duration_ms', this.clock.now() - acceptedAt, { state: 'done' });
    logger.info('persistence_batch_commit', {
      tenantId,
      batchId,
      durationMs,
      batchSize: command.changes.length,
      inserted: counts.inserted,
      updated: counts.updated,
      skipped_duplicate: counts.skippedDuplicate,
      quarantined: counts.quarantined,
    });
  }

  private reportErased({ tenantId, batchId }: ClaimedBatch): void {
    this.metrics.inc('memory_llm_batches_total', { state: 'failed' });
    this.logger.warn('batch_failed', { tenantId, batchId, reason: 'erased' });
  }
}

function describeRollback(error: unknown): string {
  return isTransientDatabaseError(error) ? 'transient' : (sqlState(error) ?? 'internal');
}
