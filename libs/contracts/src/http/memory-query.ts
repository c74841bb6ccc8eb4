import { z } from 'zod';
import {
  boundSchema,
  EMPTY_UPDATED_RANGE,
  externalIdSchema,
  instantSchema,
  isUpdatedRange,
  storableText,
  uuidSchema,
} from '../primitives.js';
import { categorySchema, importanceSchema, MEMORY_TYPES } from '../memory/vocabulary.js';
import { messageRoleSchema } from './conversations.js';
import { memorySourceSchema } from './memories.js';
import { queryExplanationSchema, scorePartsSchema } from './query-explanation.js';
import { revisionSchema } from './threads.js';

/**
 * What an answer may be: a memory of one of its types, or a turn, which is a message as it was said
 * (docs/reference/recall.md#turns-are-recallable).
 */
export const RECALL_TYPES = [...MEMORY_TYPES, 'turn'] as const;
export const recallTypeSchema = z.enum(RECALL_TYPES);
export type RecallType = z.infer<typeof recallTypeSchema>;

export const queryFiltersSchema = z
  .strictObject({
    user_id: externalIdSchema,
    thread_id: externalIdSchema.optional(),
    agent_id: externalIdSchema.optional(),
    run_id: externalIdSchema.optional(),
    actor_id: externalIdSchema.optional(),
    app_id: externalIdSchema.optional(),
    role: messageRoleSchema.optional(),
    category: categorySchema.optional(),
    pinned: z.boolean().optional(),
    importance_min: importanceSchema.optional(),
    importance_max: importanceSchema.optional(),
    updated_after: boundSchema.nullish(),
    updated_before: boundSchema.nullish(),
  })
  .refine(({ importance_min: min, importance_max: max }) => min === undefined || max === undefined || min <= max, {
    error: 'Give at least `importance_min`: no importance is both that high and this low.',
    path: ['importance_max'],
  })
  .refine(isUpdatedRange, EMPTY_UPDATED_RANGE);
export type QueryFilters = z.infer<typeof queryFiltersSchema>;

/** Answers to a question unless `top_k` says otherwise (docs/reference/recall.md#default-number-of-answers). */
export const DEFAULT_TOP_K = 5;

export const memoryQuerySchema = z
  .strictObject({
    query: storableText(1, 4_000)
      .optional()
      .describe(
        'The question. Without one, what the categories stand for comes whatever it is about: all memories of a category whose context mode is `all`, at most `rag_length` of one whose mode is `rag`, the most important and newest first.',
      ),
    agent: externalIdSchema.optional().describe('The agent that asks; its allowlist applies.'),
    categories: z.array(categorySchema).min(1).max(50).optional(),
    types: z
      .array(recallTypeSchema)
      .min(1)
      .optional()
      .describe(
        'Narrows what comes: types of memories, and `turn` for messages as they were said. Unless given, memories of all types and turns; procedural memories only when their category is named.',
      ),
    filters: queryFiltersSchema,
    thread_id: externalIdSchema
      .optional()
      .describe('The thread whose revision is answered; `filters.thread_id` unless given. It filters nothing.'),
    since_rev: revisionSchema
      .optional()
      .describe('The last revision of the thread that the caller has seen: what changed since is told in `header`.'),
    top_k: z.number().int().min(1).max(100).optional().describe(`Most answers; ${DEFAULT_TOP_K} to a question.`),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Leave out what is less relevant than this, 0–1. Unless given, the best `top_k` come, related or not.'),
    budget_tokens: z
      .number()
      .int()
      .min(16)
      .max(100_000)
      .default(512)
      .describe('Most o200k tokens of header, memories and related memories together.'),
    return: z.enum(['bullets', 'full']).default('bullets'),
    include_related: z
      .boolean()
      .default(true)
      .describe('Whether up to two memories come along that are linked to an answer and still fit the budget.'),
    purpose: z
      .enum(['context', 'recall'])
      .default('context')
      .describe('`recall` when an agent asks because it is not sure, beside what it was given before the turn.'),
    explain: z.boolean().default(false).describe('Whether the answer tells how it came about, in `explain`.'),
    as_of: instantSchema.optional().describe('What held at that time.'),
    known_at: instantSchema.optional().describe('What was known at that time.'),
  })
  .refine(({ since_rev, thread_id, filters }) => since_rev === undefined || (thread_id ?? filters.thread_id), {
    error: 'Name the thread whose changes `since_rev` asks for.',
    path: ['thread_id'],
  })
  .refine(({ query, types }) => query !== undefined || types === undefined || types.some((type) => type !== 'turn'), {
    error: 'Give a question: turns are found by what they are about.',
    path: ['query'],
  });
export type MemoryQuery = z.infer<typeof memoryQuerySchema>;

export const queryBulletSchema = z.object({
  id: uuidSchema.describe('The memory; the message of a turn.'),
  type: recallTypeSchema,
  category: z.string(),
  text: z
    .string()
    .describe(
      '`[category] text (day)`, as it goes into a prompt; `(day; superseded since)` of a turn that no longer holds.',
    ),
  sources: z.array(memorySourceSchema.pick({ conversation_id: true, message_id: true })),
});
export type QueryBullet = z.infer<typeof queryBulletSchema>;

export const queryHitSchema = queryBulletSchema.extend({
  content: z.string().describe('The whole statement, or the whole message of a turn.'),
  score: z.number().describe('What it is ranked by, 0–1; 0 without a question.'),
  scores: scorePartsSchema,
  importance: z.number().int(),
  confidence: z.number(),
  pinned: z.boolean(),
  superseded: z.boolean().describe('It no longer holds: what took its place may be in the answer.'),
  speaker: z.string().nullable().describe('Who said it: the actor, or of a turn without one its role.'),
  thread_id: z.string().nullable(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  recorded_at: z.string(),
  sources: z.array(memorySourceSchema),
});
export type QueryHit = z.infer<typeof queryHitSchema>;

/** A memory that comes along because an answer is linked to it. */
export const relatedBulletSchema = queryBulletSchema.pick({ id: true, type: true, category: true, text: true }).extend({
  related_to: uuidSchema.describe('The answer that it is linked to.'),
  relation_type: z.string(),
  strength: z.number(),
});
export type RelatedBullet = z.infer<typeof relatedBulletSchema>;

export const memoryQueryAnswerSchema = z.object({
  header: z
    .string()
    .optional()
    .describe('What changed in the thread since `since_rev`, in at most three bullets; absent when nothing did.'),
  memories: z.array(z.union([queryHitSchema, queryBulletSchema])),
  related: z.array(relatedBulletSchema),
  tokens: z.number().int().describe('o200k tokens of header, memories and related memories.'),
  revision: z.number().int().describe('The thread’s revision when a thread is named, else 0.'),
  degraded: z
    .boolean()
    .describe('True when embeddings or the reranker were unavailable and the answer does without them.'),
  explain: queryExplanationSchema.optional(),
});
export type MemoryQueryAnswer = z.infer<typeof memoryQueryAnswerSchema>;
