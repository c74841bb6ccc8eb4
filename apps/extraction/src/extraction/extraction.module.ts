import type { LLMProvider } from '@annals/llm-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { toModelChain } from './ask-model/model-chain.js';
import { ExtractionProcessor } from './extraction.processor.js';
import { ExtractionService } from './extraction.service.js';
import { MODEL_CHAIN } from './extraction.tokens.js';

export interface ExtractionOptions {
  /** The primary, then its fallbacks. */
  readonly providers: readonly LLMProvider[];
}

/** Consumes the extraction queue. Stands on InfrastructureModule. */
@Module({})
export class ExtractionModule {
  static forRoot({ providers }: ExtractionOptions): DynamicModule {
    return {
      module: ExtractionModule,
      providers: [{ provide: MODEL_CHAIN, useValue: toModelChain(providers) }, ExtractionService, ExtractionProcessor],
    };
  }
}
