import { z } from 'zod';
import { confidenceSchema, memoryTypeSchema } from '../memory/vocabulary.js';
import { pageOf, pageShape, uuidSchema } from '../primitives.js';
import { insightsSwitchSchema } from './context.js';

/** The category of insights (docs/reference/insights.md#form-of-an-insight). */
export const RELATIONSHIP_CATEGORY = 'relationship_dynamic';

/** `gone`: deleted, superseded or forgotten. */
const groundState = z.enum(['stands', 'gone']);

const wordsSchema = z.string().nullable().describe('null when it is gone, or in a category that the key may not see.');

const messageGroundSchema = z.object({
  kind: z.literal('message'),
  message_id: uuidSchema,
  conversation_id: uuidSchema.nullable(),
  thread_id: z.string().nullable(),
  role: z.string().nullable(),
  content: wordsSchema,
  said_at: z.string().nullable(),
  state: groundState,
});

const memoryGroundSchema = z.object({
  kind: z.literal('memory'),
  memory_id: uuidSchema,
  category: z.string().nullable(),
  content: wordsSchema,
  said_at: z.string().nullable(),
  state: groundState,
});

/** What a memory rests on. */
export const groundSchema = z.discriminatedUnion('kind', [messageGroundSchema, memoryGroundSchema]);
export type Ground = z.infer<typeof groundSchema>;

export const memoryReasonsSchema = z.object({
  memory_id: uuidSchema,
  type: memoryTypeSchema,
  content: z.string(),
  confidence: confidenceSchema,
  provenance: z.object({ provider: z.string().nullable(), model: z.string().nullable() }),
  ground: z
    .array(groundSchema)
    .describe(
      'Of an insight the messages and memories that it was inferred from; of others the words that they quote.',
    ),
});
export type MemoryReasons = z.infer<typeof memoryReasonsSchema>;

export const insightSchema = z.object({
  id: uuidSchema.describe('Also its id as a memory.'),
  content: z.string(),
  state: z.enum(['current', 'superseded', 'quarantined', 'deleted']),
  confidence: confidenceSchema,
  tags: z.array(z.string()),
  suggests: z
    .object({ field: z.enum(['tone', 'goals_add']), value: z.string() })
    .nullable()
    .describe('The change of the user context that it suggests.'),
  agent_id: z
    .string()
    .nullable()
    .describe('The agent whose conversations it was made from: other agents do not see it.'),
  provider: z.string().nullable().describe('`local`: made by rules, without a model.'),
  revision: z.number().int(),
  superseded_by: uuidSchema.nullable(),
  quarantine_reason: z.string().nullable(),
  recorded_at: z.string(),
  run_id: uuidSchema.describe('The run that made it, see `GET /v1/admin/minds/runs`.'),
  ground: z.array(groundSchema),
});
export type Insight = z.infer<typeof insightSchema>;

export const insightPageSchema = pageOf(insightSchema);
export type InsightPage = z.infer<typeof insightPageSchema>;

export const userInsightsSchema = insightPageSchema.extend({
  insights: insightsSwitchSchema.describe(
    '`off`: none are made, and those that are listed here are not served anywhere else.',
  ),
});

export const listInsightsQuerySchema = z.strictObject(pageShape);
export type PageQuery = z.infer<typeof listInsightsQuerySchema>;
