import type { Config } from '@annals/config';
import { extractionQueue } from '@annals/contracts';
import { LLMError } from '@annals/llm-core';
import { JobMistake } from '@annals/messaging';
import { type ClaimedBatch, CONFIG, createBatchWorker, type Infrastructure, INFRASTRUCTURE } from '@annals/runtime';
import { allOf, indexTurns, loadBatchConversation, loadPastCalls } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ExtractionService } from './extraction.service.js';
import { loadAnalysis } from './prepare-conversation.js';

/** Messages before the batch that a model may read to understand it. */
const CONTEXT_MESSAGES = 10;

/** Connects the extraction queue with the service; claims, leases and failures are the batch worker's. */
@Injectable()
export class ExtractionProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(CONFIG) private readonly config: Config<'workers'>,
    @Inject(ExtractionService) private readonly service: ExtractionService,
  ) {}

  async onModuleInit(): Promise<void> {
    const { asksRemotely, chain } = this.service;
    // Reading lexicon and token table takes half a second of this thread: not in the first job, while others run.
    if (asksRemotely) await loadAnalysis();
    for (const provider of chain) this.infrastructure.providers.watch(provider);
    const worker = createBatchWorker(this.infrastructure, {
      definition: extractionQueue,
      concurrency: this.config.workers.extractionConcurrency,
      leaseMs: this.config.workers.leaseMs,
      load: async (tx, batchId) => {
        const [turns, calls] = await allOf([
          loadBatchConversation(tx, batchId, { contextMessages: CONTEXT_MESSAGES }),
          asksRemotely ? loadPastCalls(tx, batchId) : Promise.resolve([]),
        ]);
        return { turns, calls };
      },
      run: async (batch, input, attempt) => {
        await this.indexTurns(batch);
        return this.service.extractBatch(batch, input, attempt);
      },
      // What the models' own policy did not end: a local provider's error is the same every time.
      translate: (error) => (error instanceof LLMError ? new JobMistake(error.type) : undefined),
    });
    this.infrastructure.workers.add(worker);
  }

  /**
   * Whatever a model makes of it later, or never: what was said is in the index first. In a transaction of its own, since
   * it locks the user before the batch.
   */
  private async indexTurns({ tenantId, batchId }: ClaimedBatch): Promise<void> {
    const { database, clock } = this.infrastructure;
    await database.inTenant(tenantId, (tx) => indexTurns(tx, { batchId, now: clock.now() }));
  }
}
