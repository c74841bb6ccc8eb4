import type { Config } from '@annals/config';
import { extractionQueue } from '@annals/contracts';
import { CONFIG, createBatchWorker, type Infrastructure, INFRASTRUCTURE } from '@annals/runtime';
import { loadBatchConversation } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ExtractionService } from './extraction.service.js';
import { translateLLMError } from './translate-llm-error.js';

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

  onModuleInit(): void {
    const worker = createBatchWorker(this.infrastructure, {
      definition: extractionQueue,
      concurrency: this.config.workers.extractionConcurrency,
      leaseMs: this.config.workers.leaseMs,
      load: (tx, batchId) => loadBatchConversation(tx, batchId, { contextMessages: CONTEXT_MESSAGES }),
      run: (batch, turns, attempt) => this.service.extractBatch(batch, turns, attempt),
      translate: (error, { attempt }) => translateLLMError(error, attempt),
    });
    this.infrastructure.workers.add(worker);
  }
}
