import type { Config } from '@annals/config';
import { extractionQueue } from '@annals/contracts';
import { LLMError } from '@annals/llm-core';
import { PermanentJobError, type JobOutcome } from '@annals/messaging';
import {
  type BatchAttempt,
  type ClaimedBatch,
  CONFIG,
  createBatchWorker,
  type Infrastructure,
  INFRASTRUCTURE,
} from '@annals/runtime';
import { allOf, indexTurns, isTransientDatabaseError, loadBatchConversation, loadPastCalls } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type BatchInput, ExtractionService } from './extraction.service.js';
import { loadAnalysis } from './prepare-conversation.js';

/** Messages before the batch that a model may read to understand it. */
const CONTEXT_MESSAGES = 10;

/**
 * Batches that are prepared or written at a time, of all that a process extracts: enough to keep its thread busy while
 * the database answers. Beside a model of 200 ms, 16 jobs spend 42 ms each on their own with 4, and 83 ms with 16
 * (`npm run bench -- jobs`).
 */
const MAX_CONCURRENT_JOBS = 4;

/** Connects the extraction queue with the service; claims, leases and failures are the batch worker's. */
@Injectable()
export class ExtractionProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(CONFIG) private readonly config: Config<'workers'>,
    @Inject(ExtractionService) private readonly service: ExtractionService,
  ) {}

  async onModuleInit(): Promise<void> {
    const { usesRemoteModels, chain } = this.service;
    // Reading lexicon and token table takes half a second of this thread: not in the first job, while others run.
    if (usesRemoteModels) await loadAnalysis();
    for (const provider of chain) this.infrastructure.providers.watch(provider);
    const worker = createBatchWorker(this.infrastructure, {
      definition: extractionQueue,
      concurrency: this.config.workers.extractionConcurrency,
      concurrencySlots: MAX_CONCURRENT_JOBS,
      leaseMs: this.config.workers.leaseMs,
      load: async (tx, batchId) => {
        const [turns, calls] = await allOf([
          loadBatchConversation(tx, batchId, { contextMessages: CONTEXT_MESSAGES }),
          usesRemoteModels ? loadPastCalls(tx, batchId) : Promise.resolve([]),
        ]);
        return { turns, calls };
      },
      run: (batch, input, attempt) => this.run(batch, input, attempt),
      // What the models' own policy did not end: a local provider's error is the same every time.
      translate: (error) => (error instanceof LLMError ? new PermanentJobError(error.type) : undefined),
    });
    this.infrastructure.workers.add(worker);
  }

  /**
   * Whatever a model makes of it, or if it never answers: what was said is in the index. That happens while the model is
   * asked, and before anything is committed. A bug in it costs no answer that is paid for: the index job finds the batch.
   */
  private async run(batch: ClaimedBatch, input: BatchInput, attempt: BatchAttempt): Promise<JobOutcome> {
    let indexing = this.indexTurns(batch);
    const waitForIndex = () => attempt.withoutSlot(() => indexing.catch(() => undefined));
    const beforeCommit = async () => {
      await waitForIndex();
      await indexing.catch((error: unknown) => {
        if (isTransientDatabaseError(error)) return (indexing = this.indexTurns(batch));
      });
    };
    try {
      const outcome = await this.service.extractBatch(batch, input, { ...attempt, beforeCommit });
      await indexing;
      return outcome;
    } finally {
      await waitForIndex();
    }
  }

  /** In a transaction of its own, since it locks the user before the batch. */
  private indexTurns({ tenantId, batchId }: ClaimedBatch): Promise<unknown> {
    const { database, clock } = this.infrastructure;
    const indexing = database.inTenant(tenantId, (tx) => indexTurns(tx, { batchId, now: clock.now() }));
    // It may fail while the model is asked and nobody waits for it yet: unhandled, that would end the process.
    indexing.catch(() => undefined);
    return indexing;
  }
}
