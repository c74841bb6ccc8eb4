import { z } from 'zod';
import { externalIdSchema, instantSchema, storableText, uuidSchema } from '../primitives.js';
import { categorySchema, importanceSchema, memoryTypeSchema } from '../memory/vocabulary.js';
import { messageRoleSchema } from './conversations.js';
import { memorySourceSchema } from './memories.js';

export const queryFiltersSchema = z.strictObject({
  user_id: externalIdSchema,
  thread_id: externalIdSchema.optional(),
  agent_id: externalIdSchema.optional(),
  run_id: externalIdSchema.optional(),
  actor_id: externalIdSchema.optional(),
  app_id: externalIdSchema.optional(),
  role: messageRoleSchema.optional(),
  pinned: z.boolean().optional(),
  importance_min: importanceSchema.optional(),
  importance_max: importanceSchema.optional(),
  updated_after: instantSchema.nullish(),
  updated_before: instantSchema.nullish(),
});
export type QueryFilters = z.infer<typeof queryFiltersSchema>;

export const memoryQuerySchema = z.strictObject({
  query: storableText(1, 4_000),
  agent: externalIdSchema.optional().describe('The agent that asks; its allowlist applies.'),
  categories: z.array(categorySchema).min(1).max(50).optional(),
  types: z.array(memoryTypeSchema).min(1).optional(),
  filters: queryFiltersSchema,
  top_k: z.number().int().min(1).max(100).default(5),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Leave out what is less relevant than this, 0–1. Unless given, the best `top_k` come, related or not.'),
  budget_tokens: z.number().int().min(16).max(100_000).default(512),
  return: z.enum(['bullets', 'full']).default('bullets'),
  as_of: instantSchema.optional().describe('What held at that time.'),
  known_at: instantSchema.optional().describe('What was known at that time.'),
});
export type MemoryQuery = z.infer<typeof memoryQuerySchema>;

export const queryBulletSchema = z.object({
  id: uuidSchema,
  category: z.string(),
  text: z.string(),
  sources: z.array(memorySourceSchema.pick({ conversation_id: true, message_id: true })),
});

export const queryHitSchema = queryBulletSchema.extend({
  type: memoryTypeSchema,
  score: z.number().describe('Calibrated relevance, 0–1.'),
  scores: z.object({ vector: z.number(), lexical: z.number() }),
  importance: z.number().int(),
  confidence: z.number(),
  pinned: z.boolean(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  recorded_at: z.string(),
  sources: z.array(memorySourceSchema),
});
export type QueryHit = z.infer<typeof queryHitSchema>;

export const memoryQueryAnswerSchema = z.object({
  memories: z.array(z.union([queryHitSchema, queryBulletSchema])),
  tokens: z.number().int().describe('o200k tokens of the returned texts.'),
  revision: z.number().int().describe('The thread’s revision when `filters.thread_id` is given, else 0.'),
  degraded: z.boolean().describe('True when embeddings were not to be had and the answer is lexical only.'),
});
export type MemoryQueryAnswer = z.infer<typeof memoryQueryAnswerSchema>;
