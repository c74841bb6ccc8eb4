import type { LLMProvider, ParsedAnswer } from '@annals/llm-core';
import type { AnsweredCall } from '@annals/runtime';
import type { ReceivedAnswer } from './receive-answer.js';

/** A parsed answer. `call` is settled in the transaction that writes it; null when nothing was reserved. */
export interface ModelAnswer {
  readonly provider: LLMProvider;
  readonly received: ReceivedAnswer;
  readonly answer: ParsedAnswer;
  readonly call: AnsweredCall<ReceivedAnswer> | null;
}

/** The result of calling the models; errors are thrown. */
export type ModelCallOutcome =
  | ({ readonly outcome: 'answered' } & ModelAnswer)
  /** The job is delayed by `delayMs`, without using up an attempt. */
  | { readonly outcome: 'delayed'; readonly delayMs: number }
  /** The batch is deferred: it waits in the database. */
  | {
      readonly outcome: 'deferred';
      readonly reason: 'budget_exceeded' | 'circuit_open';
      readonly until: number;
      readonly shortfallMicroUsd: number | null;
    };
