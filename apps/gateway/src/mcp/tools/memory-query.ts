import { routes } from '@annals/contracts';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { budgetTokensSchema, listRecalled, recalledSchema } from './shared-fields.js';

export const memoryQuery = defineTool({
  name: 'memory_query',
  title: 'Search memory',
  description: 'Search what the user said and what is known about them. Best first; dates say when it was said.',
  use: 'Before you rely on something from the past, search it with memory_query.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  routes: [routes.queryMemory],
  input: z.strictObject({
    query: z.string().min(1).max(4_000).describe('A question or keywords'),
    top_k: z.number().int().min(1).max(50).optional().describe('Default 5'),
    budget_tokens: budgetTokensSchema,
  }),
  output: z.object({ memories: recalledSchema, degraded: z.boolean().describe('Found by words alone') }),
  async run({ query, top_k, budget_tokens }, { userId, rest }) {
    const answer = await rest.send(routes.queryMemory, {
      // The agent asks because it is not sure: what belongs into every prompt comes with memory_context.
      body: { query, top_k, budget_tokens, filters: { user_id: userId }, purpose: 'recall' },
    });
    const memories = listRecalled(answer);
    const lines = memories.map(({ text }) => `- ${text}`);
    return {
      text: lines.length === 0 ? 'Nothing is remembered about this.' : lines.join('\n'),
      structured: { memories, degraded: answer.degraded },
    };
  },
});
