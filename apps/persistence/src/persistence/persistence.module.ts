import type { EmbeddingProvider } from '@annals/llm-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { MaintenanceJobs } from '../maintenance/maintenance-jobs.js';
import { ContentEmbedder } from './content-embedder.js';
import { PersistenceProcessor } from './persistence.processor.js';
import { PersistenceService } from './persistence.service.js';
import { EMBEDDER } from './persistence.tokens.js';

export interface PersistenceOptions {
  readonly embedder: EmbeddingProvider;
}

/** Consumes the persistence queue. Stands on InfrastructureModule. */
@Module({})
export class PersistenceModule {
  static forRoot({ embedder }: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [{ provide: EMBEDDER, useValue: embedder }, ContentEmbedder, PersistenceService, PersistenceProcessor, MaintenanceJobs],
    };
  }
}
