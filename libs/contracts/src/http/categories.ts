import { z } from 'zod';

export const categoryConfigSchema = z.object({
  categories: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullable().describe('What belongs to it, as the extraction prompt says.'),
      context: z.enum(['all', 'rag']).describe('Whether every query returns all of it, or what a search finds.'),
      rag_length: z.number().int().nullable().describe('Maximum memories that a search returns; null for `all`.'),
      on_request_only: z.boolean().describe('Only for queries that name it.'),
    }),
  ),
  allowlists: z
    .record(z.string(), z.array(z.string()))
    .describe('The categories of each agent that has a list. Other agents may use every category.'),
});
export type CategoryConfigBody = z.infer<typeof categoryConfigSchema>;
