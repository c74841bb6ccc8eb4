import type { LLMRequest } from '../../provider/llm-request.js';
import { buildTurns } from './build-turns.js';

/** Everything of a request that a model reads, wherever its API puts it. */
export function listPromptTexts(request: LLMRequest): string[] {
  // In mode `text` the schema is part of the user's turn; it is sent once in any mode.
  return [request.prompt.system, ...buildTurns(request, 'text').map(({ content }) => content)];
}
