import type { LLMRequest } from '../../provider/llm-request.js';
import { buildTurns } from './build-turns.js';

/** All texts of a request that a model reads, wherever its API puts them. */
export function listPromptTexts(request: LLMRequest): string[] {
  // In mode `text` the schema is part of the user turn; in every mode it is sent once.
  return [request.prompt.system, ...buildTurns(request, 'text').map(({ content }) => content)];
}
