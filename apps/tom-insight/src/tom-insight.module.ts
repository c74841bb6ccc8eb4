import type { Config } from '@annals/config';
import type { LLMProvider } from '@annals/llm-core';
import { listMinds, MINDS, type MindFactory, MindsProcessor, MIND_PROVIDERS } from '@annals/runtime';
import type { WorkKind } from '@annals/contracts';
import { type DynamicModule, Module } from '@nestjs/common';
import { INSIGHTS } from './insights/insights.js';

export const TOM_INSIGHT_FRAGMENTS = ['workers', 'llm', 'pricing', 'budgets', 'circuit', 'minds', 'insights'] as const;

export interface TomInsightOptions {
  /** The providers for extraction; the remote ones are also called by minds. */
  readonly providers: readonly LLMProvider[];
}

/** The minds of this service, one line each. */
const STAGES: readonly MindFactory[] = [INSIGHTS];

/** Infers what a person's messages and memories suggest: consumes the queue `insights`. Requires InfrastructureModule. */
@Module({})
export class TomInsightModule {
  /** The queues that this module has workers for: none while minds are switched off. */
  static consumes(config: Config<'minds'>): readonly WorkKind[] {
    return listMinds(STAGES, config);
  }

  static forRoot({ providers }: TomInsightOptions): DynamicModule {
    return {
      module: TomInsightModule,
      providers: [
        { provide: MINDS, useValue: STAGES },
        { provide: MIND_PROVIDERS, useValue: providers },
        MindsProcessor,
      ],
    };
  }
}
