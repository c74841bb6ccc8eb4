import type { WorkKind } from '@annals/contracts';
import type { LLMProvider } from '@annals/llm-core';
import type { Categories } from '@annals/runtime';
import { type DynamicModule, Module } from '@nestjs/common';
import { toModelChain } from './call-model/model-chain.js';
import { DryRunProcessor } from '../dry-run/dry-run.processor.js';
import { ExtractionProcessor } from './extraction.processor.js';
import { CATEGORIES, ExtractionService, MODEL_CHAIN } from './extraction.service.js';

export const EXTRACTION_FRAGMENTS = [
  'workers',
  'llm',
  'pricing',
  'budgets',
  'circuit',
  'salience',
  'multiFact',
  'procedures',
  'categories',
] as const;

export interface ExtractionOptions {
  /** The primary provider, then its fallbacks. */
  readonly providers: readonly LLMProvider[];
  /** The categories of extracted memories; `current` is read for each batch. */
  readonly categories: Pick<Categories, 'current'>;
}

/** Consumes the queues in `consumes`. Requires InfrastructureModule. */
@Module({})
export class ExtractionModule {
  static readonly consumes: readonly WorkKind[] = ['extraction', 'dry_run'];

  static forRoot({ providers, categories }: ExtractionOptions): DynamicModule {
    return {
      module: ExtractionModule,
      providers: [
        { provide: MODEL_CHAIN, useValue: toModelChain(providers) },
        { provide: CATEGORIES, useValue: categories },
        ExtractionService,
        ExtractionProcessor,
        DryRunProcessor,
      ],
    };
  }
}
