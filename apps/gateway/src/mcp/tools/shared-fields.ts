import type { MemoryQueryAnswer } from '@annals/contracts';
import { z } from 'zod';

export const budgetTokensSchema = z.number().int().min(16).max(8_000).optional().describe('Default 512');

export const recalledSchema = z
  .array(z.object({ text: z.string(), type: z.string() }))
  .describe('type turn: words as they were said');

/** What an answer recalls, in its order, as it may be put into a prompt. */
export function listRecalled({ core, memories, related }: MemoryQueryAnswer): z.input<typeof recalledSchema> {
  return [...core, ...memories, ...related].map(({ text, type }) => ({ text, type }));
}
