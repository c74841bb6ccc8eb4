import { jsonSchema, type Tool, tool } from 'ai';
import { defined } from '../defined.js';
import type { ToolContext } from './annals-tools.js';
import { asText, BUDGET_TOKENS, listRecalled, type RecalledText } from './recalled.js';

export interface SearchInput {
  readonly query: string;
  readonly top_k?: number;
  readonly budget_tokens?: number;
}

export interface SearchOutput {
  readonly memories: readonly RecalledText[];
  /** Found by words alone. */
  readonly degraded: boolean;
}

export function searchMemoryTool({ client, user, agent }: ToolContext): Tool<SearchInput, SearchOutput> {
  return tool({
    title: 'Search memory',
    description:
      'Search what the user said and what is known about them, before you rely on something from the past. Best first; dates say when it was said.',
    inputSchema: jsonSchema<SearchInput>({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 4_000, description: 'A question or keywords' },
        top_k: { type: 'integer', minimum: 1, maximum: 50, description: 'Default 5' },
        budget_tokens: BUDGET_TOKENS,
      },
      required: ['query'],
      additionalProperties: false,
    }),
    async execute({ query, top_k, budget_tokens }, { abortSignal }): Promise<SearchOutput> {
      // The agent asks because it is not sure: what belongs into every prompt comes with `context`.
      const body = { query, purpose: 'recall' as const, filters: { user_id: user } };
      const answer = await client.memory.query(
        { ...body, ...defined({ top_k, budget_tokens, agent }) },
        defined({ signal: abortSignal }),
      );
      return { memories: listRecalled(answer), degraded: answer.degraded };
    },
    toModelOutput: ({ output: { memories } }) =>
      asText(memories.map(({ text }) => `- ${text}`).join('\n') || 'Nothing is remembered about this.'),
  });
}
