import type { Config } from '@annals/config';
import { persistenceQueue } from '@annals/contracts';
import { CONFIG, createBatchWorker, type Infrastructure, INFRASTRUCTURE } from '@annals/runtime';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { translateWriteError } from './commit/write-batch.js';
import { loadBatch } from './load/load-batch.js';
import { PersistenceService } from './persistence.service.js';

/** Connects the persistence queue with the service; the batch worker handles claims, leases and failures. */
@Injectable()
export class PersistenceProcessor implements OnModuleInit {
  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(CONFIG) private readonly config: Config<'workers'>,
    @Inject(PersistenceService) private readonly service: PersistenceService,
  ) {}

  onModuleInit(): void {
    const worker = createBatchWorker(this.infrastructure, {
      definition: persistenceQueue,
      concurrency: this.config.workers.persistenceConcurrency,
      leaseMs: this.config.workers.leaseMs,
      load: loadBatch,
      run: (batch, loaded, attempt) => this.service.persistBatch(batch, loaded, attempt),
      translate: translateWriteError,
    });
    this.infrastructure.workers.add(worker);
  }
}
