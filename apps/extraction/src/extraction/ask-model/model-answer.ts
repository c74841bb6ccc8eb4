import type { LLMProvider, ReadAnswer } from '@annals/llm-core';
import type { AnsweredCall } from '@annals/runtime';
import type { Received } from './receive-answer.js';

/** An answer that was understood. `call` is to be settled with what is written; null when nothing was reserved. */
export interface ModelAnswer {
  readonly provider: LLMProvider;
  readonly received: Received;
  readonly answer: ReadAnswer;
  readonly call: AnsweredCall<Received> | null;
}

/** What came of asking; everything else is thrown. */
export type AskOutcome =
  | ({ readonly outcome: 'answered' } & ModelAnswer)
  /** The job comes back in so long, with no attempt used up. */
  | { readonly outcome: 'gated'; readonly delayMs: number }
  /** The batch waits in the database. */
  | {
      readonly outcome: 'deferred';
      readonly reason: 'budget_exceeded' | 'circuit_open';
      readonly until: number;
      readonly shortfallMicroUsd: number | null;
    };
