import type { LLMProvider } from '@annals/llm-core';
import { type DynamicModule, Module } from '@nestjs/common';
import { ExtractionProcessor } from './extraction.processor.js';
import { ExtractionService } from './extraction.service.js';
import { PROVIDER } from './extraction.tokens.js';

export interface ExtractionOptions {
  readonly provider: LLMProvider;
}

/** Consumes the extraction queue. Stands on InfrastructureModule. */
@Module({})
export class ExtractionModule {
  static forRoot({ provider }: ExtractionOptions): DynamicModule {
    return {
      module: ExtractionModule,
      providers: [{ provide: PROVIDER, useValue: provider }, ExtractionService, ExtractionProcessor],
    };
  }
}
