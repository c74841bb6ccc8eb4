import { currentTraceparent, type Logger, type Metrics } from '@annals/observability';
import type { Clock, IdGenerator } from '@annals/domain';
import type { LLMProvider } from '@annals/llm-core';
import type { JobOutcome, OutboxRelay } from '@annals/messaging';
import { type BatchAttempt, type ClaimedBatch, CLOCK, DATABASE, IDS, LOGGER, METRICS, RELAY } from '@annals/runtime';
import { completeExtraction, type Database } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { type BatchTurns, buildRequest, selectExcerpt } from './build-request.js';
import { callProvider, type ProviderCallDependencies } from './call-provider.js';
import { type Extracted, NOTHING_EXTRACTED } from './extracted.js';
import { PROVIDER } from './extraction.tokens.js';
import { refineAnswer } from './refine-answer.js';

/** Turns a batch of messages into memories that persistence can write. */
@Injectable()
export class ExtractionService {
  private readonly call: ProviderCallDependencies;

  constructor(
    @Inject(PROVIDER) provider: LLMProvider,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(RELAY) private readonly relay: OutboxRelay,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) private readonly metrics: Metrics,
  ) {
    this.call = { provider, logger, metrics };
  }

  /** The steps, in order. `skipped`: another worker holds the batch by now, and what was done here is void. */
  async extractBatch(batch: ClaimedBatch, turns: BatchTurns, attempt: BatchAttempt): Promise<JobOutcome> {
    const extracted = await this.extract(batch, turns, attempt);
    attempt.signal.throwIfAborted();
    if (!(await this.commit(batch, extracted))) return 'skipped';
    this.relay.kick();
    this.countMemories(batch, extracted);
    return 'done';
  }

  private async extract(batch: ClaimedBatch, turns: BatchTurns, { attempt, signal }: BatchAttempt): Promise<Extracted> {
    const excerpt = selectExcerpt(turns);
    if (excerpt.messages.length === 0) return NOTHING_EXTRACTED;
    // The fence makes the id one of this attempt alone.
    const request = buildRequest(`${batch.batchId}-${batch.fence}`, excerpt, signal);
    const { response, extraction } = await callProvider(this.call, request, attempt);
    return {
      provider: response.provider,
      model: response.model,
      notice: response.notice ?? null,
      answer: response.text,
      items: refineAnswer(extraction.memories, turns.messages),
      settlement: null,
      promptVersion: null,
      diagnostics: null,
      prunedMessages: 0,
    };
  }

  private async commit({ tenantId, batchId, fence }: ClaimedBatch, extracted: Extracted): Promise<boolean> {
    const result = { ...extracted, batchId, fence, now: this.clock.now(), trace: currentTraceparent() ?? null };
    const outcome = await this.database.inTenant(tenantId, (tx) => completeExtraction(tx, result, this.ids));
    return outcome === 'committed';
  }

  private countMemories({ tenantId, batchId }: ClaimedBatch, { provider, items }: Extracted): void {
    if (items.length === 0) return;
    this.metrics.add('memory_llm_memories_extracted_total', items.length, { provider });
    for (const { quarantineReason: reason } of items) {
      if (reason === undefined) continue;
      this.metrics.inc('memory_llm_memories_quarantined_total', { reason });
      this.metrics.inc('memory_llm_memories_junk_total', { cause: 'quarantined' });
      this.logger.debug('memory_quarantined', { tenantId, batchId, reason });
    }
  }
}
