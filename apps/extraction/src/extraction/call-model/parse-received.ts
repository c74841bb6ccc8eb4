import { LLMError, parseAnswer, type ParsedAnswer } from '@annals/llm-core';
import type { ReceivedAnswer } from './receive-answer.js';

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
