import type { ModelPrompt } from '../../prompt/extraction-prompt.js';
import type { StructuredOutputMode } from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';

export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** An answer that could not be read may be endless; its beginning shows the mistake. */
export const MAX_CORRECTED_ANSWER_LENGTH = 8_000;

/**
 * The turns after the system prompt. Where the endpoint is not held to the schema, the schema stands in the first, before
 * the conversation, so that it belongs to the prefix that servers cache; a correction adds the earlier answer and what is wrong with it. The last turn is always the user's: Claude refuses a
 * prefilled answer.
 */
export function buildTurns({ prompt, correction }: LLMRequest, mode: StructuredOutputMode): Turn[] {
  const content = mode === 'schema' ? prompt.user : addSchema(prompt);
  const turns: Turn[] = [{ role: 'user', content }];
  if (!correction) return turns;
  const answer = correction.answer.slice(0, MAX_CORRECTED_ANSWER_LENGTH).toWellFormed().trim();
  return [
    ...turns,
    // An empty turn is refused by both APIs.
    { role: 'assistant', content: answer === '' ? '(no text)' : answer },
    {
      role: 'user',
      content: `That answer cannot be used. ${correction.problem}\nAnswer again with the whole, corrected JSON document and nothing else.`,
    },
  ];
}

// The last words are ours: a small model may else go on with the conversation.
function addSchema({ schema, user }: ModelPrompt): string {
  const demand = 'Answer with JSON only, without a code fence or any other text';
  return `${demand}: one document that fits this JSON Schema.\n${JSON.stringify(schema)}\n\n${user}\n\n${demand}.`;
}
