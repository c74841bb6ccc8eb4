import type { Config } from '@annals/config';
import type { LLMProvider } from '@annals/llm-core';
import { listMinds, MINDS, type MindFactory, MindsProcessor, MIND_PROVIDERS } from '@annals/runtime';
import type { WorkKind } from '@annals/contracts';
import { type DynamicModule, Module } from '@nestjs/common';
import { appMemoryMind } from './app-memories/app-memory-mind.js';
import { CONSOLIDATION } from './consolidation/consolidation-stage.js';
import { summaryMind } from './summaries/summary-mind.js';

export const CONSOLIDATION_WORKER_FRAGMENTS = [
  'workers',
  'llm',
  'pricing',
  'budgets',
  'circuit',
  'minds',
  'embeddings',
  'retention',
  'consolidation',
] as const;

export interface ConsolidationWorkerOptions {
  /** The providers for extraction; the remote ones are also called by minds. */
  readonly providers: readonly LLMProvider[];
}

/** The minds of this service, one line each. */
const STAGES: readonly MindFactory[] = [CONSOLIDATION, summaryMind, appMemoryMind];

/** Tidies memories, and makes summaries and app memories of conversations. Requires InfrastructureModule. */
@Module({})
export class ConsolidationWorkerModule {
  /** The queues that this module has workers for: none while minds are switched off. */
  static consumes(config: Config<'minds'>): readonly WorkKind[] {
    return listMinds(STAGES, config);
  }

  static forRoot({ providers }: ConsolidationWorkerOptions): DynamicModule {
    return {
      module: ConsolidationWorkerModule,
      providers: [
        { provide: MINDS, useValue: STAGES },
        { provide: MIND_PROVIDERS, useValue: providers },
        MindsProcessor,
      ],
    };
  }
}
