import { z } from 'zod';
import { categorySchema, importanceSchema, MEMORY_TYPES, memoryScopeSchema } from '../memory/vocabulary.js';
import {
  boundSchema,
  EMPTY_UPDATED_RANGE,
  externalIdSchema,
  instantSchema,
  isUpdatedRange,
  storableText,
  uuidSchema,
} from '../primitives.js';
import { messageRoleSchema } from './conversations.js';
import { memoryContextShape, memorySourceSchema, mentionsSchema } from './memories.js';
import { revisionSchema } from './threads.js';

const share = z.number();

/** The parts of a score, each 0–1. */
export const scorePartsSchema = z.object({
  vector: share.describe('Calibrated cosine.'),
  lexical: share.describe('Calibrated lexical score.'),
  relevance: share.describe(
    'Vector and lexical score combined, or the reranker’s score if it was called. `threshold` applies to it unless it is the reranker’s.',
  ),
  rerank: share.nullable().describe('The reranker’s score; null if it was not called.'),
  recency: share.describe('exp(-age / 30 days), before its weight.'),
  importance: share.describe('What the importance adds to the score.'),
  relation: share.describe('What the strongest relation to another candidate adds to the score.'),
});
export type QueryScoreParts = z.infer<typeof scorePartsSchema>;

export const DROP_REASONS = [
  'threshold',
  'rerank',
  'same_source',
  'superseded',
  'rag_length',
  'diversity',
  'top_k',
  'budget',
] as const;
export type QueryDropReason = (typeof DROP_REASONS)[number];

const candidateFields = { id: uuidSchema, kind: z.enum(['memory', 'turn']), category: z.string() };
const count = z.number().int().min(0);
const modelSchema = z.object({
  model: z.string(),
  failed: z.string().nullable().describe('Why it was unavailable.'),
});

/** How a response was computed. Contains only what the caller may see. */
export const queryExplanationSchema = z.object({
  terms: z
    .array(z.object({ term: z.string(), weight: z.number() }))
    .describe('Index terms of the query, with the weight of each apart from its inverse document frequency.'),
  categories: z.array(z.string()).nullable().describe('The categories that were searched; null for all.'),
  candidates: z.object({ memories: count, turns: count }),
  kept: z.array(z.object({ ...candidateFields, score: share, scores: scorePartsSchema, tokens: count })),
  dropped: z.array(z.object({ ...candidateFields, relevance: share, why: z.enum(DROP_REASONS) })),
  core: z
    .object({
      kept: z.array(z.object({ ...candidateFields, tokens: count })),
      dropped: z.array(z.object({ ...candidateFields, why: z.enum(DROP_REASONS) })),
    })
    .describe('Memories of categories in mode `all` that are not among `kept`.'),
  header: z.enum(['not_requested', 'no_changes', 'included', 'over_budget']),
  embedding: modelSchema.nullable().describe('Null without a query.'),
  reranker: modelSchema.nullable().describe('Null when none is configured, or without a query.'),
  timings_ms: z.record(z.string(), z.number()),
});
export type QueryExplanation = z.infer<typeof queryExplanationSchema>;

/** A memory of one of its types, or a message as it was sent (docs/reference/recall.md#turns-are-recallable). */
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
    mentions: mentionsSchema
      .optional()
      .describe(
        'Only what contains this value: an e-mail address, a phone number or the like as it was said, or its placeholder. Without a `query`, memories and turns that contain it are searched.',
      ),
    role: messageRoleSchema.optional(),
    category: categorySchema.optional(),
    pinned: z.boolean().optional(),
    importance_min: importanceSchema.optional(),
    importance_max: importanceSchema.optional(),
    updated_after: boundSchema.nullish(),
    updated_before: boundSchema.nullish(),
  })
  .refine(({ importance_min: min, importance_max: max }) => min === undefined || max === undefined || min <= max, {
    error: 'Give at least `importance_min`: otherwise no importance is in the range.',
    path: ['importance_max'],
  })
  .refine(isUpdatedRange, EMPTY_UPDATED_RANGE);
export type QueryFilters = z.infer<typeof queryFiltersSchema>;

/** Number of results of a query unless `top_k` is given (docs/reference/recall.md#default-number-of-answers). */
export const DEFAULT_TOP_K = 5;

export const memoryQuerySchema = z
  .strictObject({
    query: storableText(1, 4_000)
      .optional()
      .describe(
        'What to search for; `core` then holds the memories of categories whose mode is `all`. Without it, memories are returned by the context mode of their category, whatever they are about: all memories of a category whose mode is `all`, at most `rag_length` of one whose mode is `rag`, the most important and newest first.',
      ),
    agent: externalIdSchema.optional().describe('The agent that sends the query; its allowlist applies.'),
    categories: z.array(categorySchema).min(1).max(50).optional(),
    types: z
      .array(recallTypeSchema)
      .min(1)
      .optional()
      .describe(
        'Restricts the types of results: types of memories, and `turn` for messages as they were sent. By default memories of all types and turns; procedural memories only when their category is given.',
      ),
    filters: queryFiltersSchema,
    thread_id: externalIdSchema
      .optional()
      .describe(
        'The thread whose revision is returned; by default `filters.thread_id`. It does not filter the results.',
      ),
    since_rev: revisionSchema
      .optional()
      .describe('The last revision of the thread that the caller has seen: later changes are listed in `header`.'),
    top_k: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(`Maximum number of results; by default ${DEFAULT_TOP_K} with a query.`),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'Minimum relevance of a result, 0–1. By default the best `top_k` are returned, however low their relevance.',
      ),
    recency_weight: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'Weight of recency in a score, 0–1; the rest is relevance. 0 ranks by relevance alone. By default `ANNALS_RECALL_RECENCY_WEIGHT`.',
      ),
    budget_tokens: z
      .number()
      .int()
      .min(16)
      .max(100_000)
      .default(512)
      .describe('Maximum number of o200k tokens of header, core, memories and related memories together.'),
    return: z.enum(['bullets', 'full']).default('bullets'),
    include: z
      .array(z.enum(['summary']))
      .max(1)
      .optional()
      .describe('`summary`: the stored summary of the thread, beside the answers. Name the thread.'),
    include_related: z
      .boolean()
      .default(true)
      .describe('Whether to add up to two memories that are related to a result and still fit the token budget.'),
    purpose: z
      .enum(['context', 'recall'])
      .default('context')
      .describe(
        '`context` before a turn; `recall` when an agent queries on demand because it is uncertain: without `core`, which is in its prompt already.',
      ),
    core: z
      .boolean()
      .default(true)
      .describe(
        'Whether `core` is filled. False for a client that has these memories in its prompt already, for example from a request without `query` at the start of the conversation: results and their words then get the whole token budget.',
      ),
    explain: z.boolean().default(false).describe('Whether the response explains, in `explain`, how it was computed.'),
    current: z
      .boolean()
      .optional()
      .describe(
        'Whether results are restricted to what holds now, or at `as_of`: true also leaves out turns of which something is over, false leaves out none of them. By default, `bullets` leave out a turn that is over where the newer statement is in the answer.',
      ),
    as_of: instantSchema.optional().describe('Valid time: only memories that held at that time.'),
    known_at: instantSchema.optional().describe('Transaction time: only what was known at that time.'),
  })
  .refine(({ since_rev, thread_id, filters }) => since_rev === undefined || (thread_id ?? filters.thread_id), {
    error: 'Give the thread whose changes `since_rev` requests.',
    path: ['thread_id'],
  })
  .refine(({ include = [], thread_id, filters }) => include.length === 0 || (thread_id ?? filters.thread_id), {
    error: 'Give the thread whose summary `include` requests.',
    path: ['thread_id'],
  })
  .refine(
    ({ query, types, filters }) =>
      (query ?? filters.mentions) !== undefined || types === undefined || types.some((type) => type !== 'turn'),
    { error: 'Give a `query`: turns are only found by their content.', path: ['query'] },
  );
export type MemoryQuery = z.infer<typeof memoryQuerySchema>;

export const queryBulletSchema = z.object({
  id: uuidSchema.describe('The id of the memory, of a turn’s message, or of a summary.'),
  type: z
    .enum([...RECALL_TYPES, 'summary'])
    .describe('`summary` only in the category `recent_activity`, which is listed without a query.'),
  scope: memoryScopeSchema.describe(
    '`global`: a memory for all users of the tenant; `user`: of the user that was asked about.',
  ),
  category: z.string(),
  text: z
    .string()
    .describe(
      '`[category] text (day)`, as it goes into a prompt; `(day; until day)` for a turn that is over, `(day; in part until day)` where something in it is. For a fact, the words that it was extracted from follow, as far as the token budget allows: `[category] fact (day) — Ana: “words”`.',
    ),
  superseded_by: uuidSchema
    .nullable()
    .describe(
      'Of a turn, the memory that holds in the place of what is over in it, at the time of the query (now, `as_of` or `known_at`). Null when nothing is over, and when what followed was deleted or may not be seen. Null for a memory: it holds at that time; `GET /v1/memories/{id}` has the one that superseded it since.',
    ),
  valid_to: z
    .string()
    .nullable()
    .describe(
      'When it ends or ended, as known at the time of the query (now, or `known_at`); of a turn, when what is over in it ended, null where `superseded_by` may not be seen.',
    ),
  sources: z.array(memorySourceSchema.pick({ conversation_id: true, message_id: true, external_id: true })),
});
export type QueryBullet = z.infer<typeof queryBulletSchema>;

export const queryHitSchema = queryBulletSchema.extend({
  content: z.string().describe('The whole statement, or the whole message of a turn.'),
  score: z.number().describe('The score that results are ranked by, 0–1; 0 without a query, and in `core`.'),
  scores: scorePartsSchema,
  importance: z.number().int(),
  confidence: z.number(),
  pinned: z.boolean(),
  superseded: z
    .boolean()
    .describe(
      'It no longer holds as a whole: a memory now, though it did at `as_of` or `known_at`; a turn at the time of the query. `superseded_by` without it: something in the turn does not.',
    ),
  speaker: z.string().nullable().describe('The speaker: the actor, or the role for a turn without one.'),
  thread_id: z.string().nullable(),
  valid_from: z.string(),
  recorded_at: z.string(),
  ...memoryContextShape,
  sources: z.array(memorySourceSchema),
});
export type QueryHit = z.infer<typeof queryHitSchema>;

export const relatedBulletSchema = queryBulletSchema
  .pick({ id: true, type: true, scope: true, category: true, text: true })
  .extend({
    related_to: uuidSchema.describe('The result that it is related to.'),
    relation_type: z.string(),
    strength: z.number(),
  });
export type RelatedBullet = z.infer<typeof relatedBulletSchema>;

export const memoryQueryAnswerSchema = z.object({
  header: z
    .string()
    .optional()
    .describe('The changes of the thread since `since_rev`, in at most three bullets; absent when there are none.'),
  core: z
    .array(z.union([queryHitSchema, queryBulletSchema]))
    .describe(
      'With a query: the memories of categories whose context mode is `all` and that are not among `memories`, whatever the query is about; empty with `core: false` and with the purpose `recall`. Pinned, important and new ones first, as far as the token budget allows; `top_k` and `threshold` do not apply.',
    ),
  memories: z.array(z.union([queryHitSchema, queryBulletSchema])),
  summary: z
    .object({
      id: uuidSchema,
      thread_id: z.string(),
      text: z.string(),
      as_of_seq: z.number().int().describe('`seq` of the last message that it covers.'),
      provider: z.string(),
      tokens: z.number().int().describe('o200k tokens of it, beyond `budget_tokens`.'),
    })
    .nullable()
    .optional()
    .describe(
      'With `include: ["summary"]`: the summary of the thread; null where none is stored, the caller may not read the conversation, or `as_of` or `known_at` is given.',
    ),
  related: z.array(relatedBulletSchema),
  tokens: z.number().int().describe('o200k tokens of header, core, memories and related memories.'),
  revision: z.number().int().describe('The thread’s revision when a thread is named, else 0.'),
  degraded: z
    .boolean()
    .describe('True when embeddings or the reranker were unavailable and the response was computed without them.'),
  explain: queryExplanationSchema.optional(),
});
export type MemoryQueryAnswer = z.infer<typeof memoryQueryAnswerSchema>;
