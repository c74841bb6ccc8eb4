import type { WorkKind } from '@annals/contracts';
import type { EmbeddingProvider, LLMProvider } from '@annals/llm-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { MaintenanceJobs } from '../maintenance/maintenance-jobs.js';
import { VectorsProcessor } from '../vectors/vectors.processor.js';
import { WebhookDelivery } from '../webhooks/webhook-delivery.js';
import { ContentEmbedder, EMBEDDER } from './embed/content-embedder.js';
import { PersistenceProcessor } from './persistence.processor.js';
import { DECIDERS, PersistenceService } from './persistence.service.js';

export const PERSISTENCE_FRAGMENTS = [
  'workers',
  'llm',
  'embeddings',
  'pricing',
  'budgets',
  'circuit',
  'retention',
  'checkpoints',
  'webhooks',
  'minds',
] as const;

export interface PersistenceOptions {
  readonly embedder: EmbeddingProvider;
  /** The providers for extraction; the remote ones are also called for reconciliation. */
  readonly providers: readonly LLMProvider[];
}

/** Consumes the queues in `consumes`. Requires InfrastructureModule. */
@Module({})
export class PersistenceModule {
  static readonly consumes: readonly WorkKind[] = ['persistence', 'vectors', 'item_vectors'];

  static forRoot({ embedder, providers }: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      providers: [
        { provide: EMBEDDER, useValue: embedder },
        { provide: DECIDERS, useValue: providers.filter((provider) => provider.getCapabilities().remote) },
        ContentEmbedder,
        PersistenceService,
        PersistenceProcessor,
        VectorsProcessor,
        MaintenanceJobs,
        WebhookDelivery,
      ],
    };
  }
}
