import type { LLMProvider, ParsedAnswer } from '@annals/llm-core';
import type { AnsweredCall } from '@annals/runtime';
import type { ReceivedAnswer } from './receive-answer.js';

/** An answer that was understood. `call` is to be settled with what is written; null when nothing was reserved. */
export interface ModelAnswer {
  readonly provider: LLMProvider;
  readonly received: ReceivedAnswer;
  readonly answer: ParsedAnswer;
  readonly call: AnsweredCall<ReceivedAnswer> | null;
}

/** What came of asking; everything else is thrown. */
export type ModelCallOutcome =
  | ({ readonly outcome: 'answered' } & ModelAnswer)
  /** The job comes back in so long, with no attempt used up. */
  | { readonly outcome: 'delayed'; readonly delayMs: number }
  /** The batch waits in the database. */
  | {
      readonly outcome: 'deferred';
      readonly reason: 'budget_exceeded' | 'circuit_open';
      readonly until: number;
      readonly shortfallMicroUsd: number | null;
    };
