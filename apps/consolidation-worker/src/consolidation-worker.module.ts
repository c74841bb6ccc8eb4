import type { Config } from '@annals/config';
import type { LLMProvider } from '@annals/llm-core';
import { listMinds, MINDS, type MindFactory, MindsProcessor, MIND_PROVIDERS } from '@annals/runtime';
import type { WorkKind } from '@annals/contracts';
import { type DynamicModule, Module } from '@nestjs/common';
import { appMemoryMind } from './app-memories/app-memory-mind.js';
import { CONSOLIDATION } from './consolidation/consolidation-stage.js';
import { summaryMind } from './summaries/summary-mind.js';
import { IS_ALONE, VaultProcessor } from './vault/vault.processor.js';

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
  'vault',
  'redaction',
  'writing',
] as const;

export interface ConsolidationWorkerOptions {
  /** The providers for extraction; the remote ones are also called by minds. */
  readonly providers: readonly LLMProvider[];
  /** Whether this is the one process of the installation. */
  readonly isAlone?: boolean;
}

/** The minds of this service, one line each. */
const STAGES: readonly MindFactory[] = [CONSOLIDATION, summaryMind, appMemoryMind];

/** Tidies memories, makes summaries and app memories of conversations, and writes the vault. Requires InfrastructureModule. */
@Module({})
export class ConsolidationWorkerModule {
  /** The queues that this module has workers for: those of minds unless they are switched off, and that of the vault where it is on. */
  static consumes(config: Config<'minds' | 'vault'>): readonly WorkKind[] {
    return [...listMinds(STAGES, config), ...(config.vault.path === undefined ? [] : (['vault'] as const))];
  }

  static forRoot({ providers, isAlone = false }: ConsolidationWorkerOptions): DynamicModule {
    return {
      module: ConsolidationWorkerModule,
      providers: [
        { provide: MINDS, useValue: STAGES },
        { provide: MIND_PROVIDERS, useValue: providers },
        MindsProcessor,
        { provide: IS_ALONE, useValue: isAlone },
        VaultProcessor,
      ],
    };
  }
}
