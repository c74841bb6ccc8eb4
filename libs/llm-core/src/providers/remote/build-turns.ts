import type { StructuredOutputMode } from '../../provider/llm-provider.js';
import type { LLMRequest } from '../../provider/llm-request.js';

export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** An answer that could not be read may be endless; its beginning shows the mistake. */
export const MAX_SHOWN_ANSWER = 8_000;

/**
 * The turns after the system prompt. Where the endpoint is not held to the schema, the schema stands in the first; a
 * correction adds the earlier answer and what is wrong with it. The last turn is always the user's: Claude refuses a
 * prefilled answer.
 */
export function buildTurns({ prompt, correction }: LLMRequest, mode: StructuredOutputMode): Turn[] {
  const content = mode === 'schema' ? prompt.user : `${prompt.user}\n\n${describeSchema(prompt.schema)}`;
  const turns: Turn[] = [{ role: 'user', content }];
  if (!correction) return turns;
  const answer = correction.answer.slice(0, MAX_SHOWN_ANSWER).toWellFormed().trim();
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

function describeSchema(schema: unknown): string {
  return `Answer with JSON only, without a code fence or any other text: one document that fits this JSON Schema.\n${JSON.stringify(schema)}`;
}
