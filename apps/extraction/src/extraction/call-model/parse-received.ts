import { LLMError, type LLMProvider, parseAnswer, type ParsedAnswer } from '@annals/llm-core';
import type { AnsweredCall } from '@annals/runtime';
import type { ReceivedAnswer } from './receive-answer.js';

/** A parsed answer. `call` is settled in the transaction that writes it; null when nothing was reserved. */
export interface ModelAnswer {
  readonly provider: LLMProvider;
  readonly received: ReceivedAnswer;
  readonly answer: ParsedAnswer;
  readonly call: AnsweredCall<ReceivedAnswer> | null;
}

/** The parsed answer, or a parsing error whose message contains nothing of the answer. */
export type ParseResult =
  | { readonly understood: true; readonly answer: ParsedAnswer; readonly durationMs: number }
  | { readonly understood: false; readonly error: LLMError; readonly durationMs: number };

/** Parses a received answer. `messageIds` maps the prompt's short names to ids; a local provider cites ids. */
export function parseReceived(received: ReceivedAnswer, messageIds?: ReadonlyMap<string, string>): ParseResult {
  const startedMs = performance.now();
  const { response, truncated, problem } = received;
  try {
    if (problem !== undefined) throw new LLMError('parsing', problem);
    const answer = parseAnswer(response.text, { truncated, ...(messageIds ? { messageIds } : {}) });
    return { understood: true, answer, durationMs: performance.now() - startedMs };
  } catch (error) {
    if (!(error instanceof LLMError)) throw error;
    return { understood: false, error, durationMs: performance.now() - startedMs };
  }
}
