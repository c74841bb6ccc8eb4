import type { Config } from '@annals/config';
import { extractionQueue } from '@annals/contracts';
import { LLMError } from '@annals/llm-core';
import { PermanentJobError } from '@annals/messaging';
import { CONFIG, createBatchWorker, type Infrastructure, INFRASTRUCTURE } from '@annals/runtime';
import { allOf, loadBatchAgent, loadBatchConversation, loadPastCalls, loadUserNames } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ExtractionService } from './extraction.service.js';
import { loadAnalysis } from './prompt/prepare-conversation.js';
import { CONTEXT_MESSAGES } from './prompt/select-excerpt.js';

/**
 * Concurrency slots: batches that a process prepares or writes at the same time. Enough to keep its thread busy while
 * waiting for the database. With a model of 200 ms, each of 16 jobs spends 42 ms outside of the call with 4 slots, and
 * 83 ms with 16 (`npm run bench -- jobs`).
 */
const MAX_CONCURRENT_JOBS = 4;

/** Connects the extraction queue with the service; the batch worker handles claims, leases and failures. */
@Injectable()
export class ExtractionProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(CONFIG) private readonly config: Config<'workers'>,
    @Inject(ExtractionService) private readonly service: ExtractionService,
  ) {}

  async onModuleInit(): Promise<void> {
    const { usesRemoteModels, chain } = this.service;
    // Loading lexicon and token table blocks this thread for half a second, so it is done before the first job.
    if (usesRemoteModels) await loadAnalysis();
    for (const provider of chain) this.infrastructure.providers.watch(provider);
    const worker = createBatchWorker(this.infrastructure, {
      definition: extractionQueue,
      concurrency: this.config.workers.extractionConcurrency,
      concurrencySlots: MAX_CONCURRENT_JOBS,
      leaseMs: this.config.workers.leaseMs,
      load: async (tx, batchId) => {
        const [turns, calls, userNames, agentId] = await allOf([
          loadBatchConversation(tx, batchId, { contextMessages: CONTEXT_MESSAGES }),
          usesRemoteModels ? loadPastCalls(tx, batchId) : Promise.resolve([]),
          loadUserNames(tx, batchId),
          loadBatchAgent(tx, batchId),
        ]);
        const messages = turns.messages.filter(({ isHidden }) => !isHidden);
        return { turns: { ...turns, messages }, calls, userNames, agentId };
      },
      run: (batch, input, attempt) => this.service.extractBatch(batch, input, attempt),
      // Remote calls have their own retry policy. A local provider's error would be the same at every attempt.
      translate: (error) => (error instanceof LLMError ? new PermanentJobError(error.type) : undefined),
    });
    this.infrastructure.workers.add(worker);
  }
}
