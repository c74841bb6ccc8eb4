import type { LLMRequest, ModelPrompt } from '../../provider/llm-request.js';
import type { StructuredOutputMode } from '../../provider/llm-provider.js';

export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** An answer that could not be parsed may be very long; its beginning is enough to show the error. */
export const MAX_CORRECTED_ANSWER_LENGTH = 8_000;

/**
 * Builds the turns after the system prompt. If the endpoint does not enforce the schema, the schema is in the first
 * turn, before the conversation, so that it belongs to the prefix that servers cache. A correction adds the earlier
 * answer and its problem. The last turn is always the user's, because Claude rejects a prefilled answer.
 */
export function buildTurns({ prompt, correction }: LLMRequest, mode: StructuredOutputMode): Turn[] {
  const content = mode === 'schema' ? prompt.user : addSchema(prompt);
  const turns: Turn[] = [{ role: 'user', content }];
  if (!correction) return turns;
  const answer = correction.answer.slice(0, MAX_CORRECTED_ANSWER_LENGTH).toWellFormed().trim();
  return [
    ...turns,
    // Both APIs reject an empty turn.
    { role: 'assistant', content: answer === '' ? '(no text)' : answer },
    {
      role: 'user',
      content: `That answer cannot be used. ${correction.problem}\nAnswer again with the whole, corrected JSON document and nothing else.`,
    },
  ];
}

// The instruction is repeated at the end, because a small model may otherwise continue the conversation.
function addSchema({ schema, user }: ModelPrompt): string {
  const demand = 'Answer with JSON only, without a code fence or any other text';
  return `${demand}: one document that fits this JSON Schema.\n${JSON.stringify(schema)}\n\n${user}\n\n${demand}.`;
}

/** All texts of a request that a model reads, wherever its API puts them. */
export function listPromptTexts(request: LLMRequest): string[] {
  // In mode `text` the schema is part of the user turn; in every mode it is sent once.
  return [request.prompt.system, ...buildTurns(request, 'text').map(({ content }) => content)];
}
