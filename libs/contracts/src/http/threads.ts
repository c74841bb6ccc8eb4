import { z } from 'zod';
import { conversationKindSchema } from './conversations.js';
import { CHANGE_EVENTS } from '../memory/vocabulary.js';
import { externalIdSchema, pageOf, pageShape, queryFlagSchema, uuidSchema } from '../primitives.js';

/** Raised once by every write that changes the thread; 0 before any (docs/reference/writes.md#thread-revision). */
export const revisionSchema = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const threadParamsSchema = z.strictObject({ thread_id: externalIdSchema });

export const threadDeltaQuerySchema = z.strictObject({
  user_id: externalIdSchema.optional().describe('The user of the thread; optional with a key that is bound to a user.'),
  since: z.coerce.number().pipe(revisionSchema).default(0).describe('The last revision that the caller has seen.'),
  agent: externalIdSchema.optional().describe('The agent that sends the request; its allowlist applies.'),
  ...pageShape,
});

export const threadChangeSchema = z.object({
  revision: z.number().int(),
  event: z.enum(CHANGE_EVENTS),
  memory_id: uuidSchema.describe('The memory that changed.'),
  category: z.string(),
  text: z.string().nullable().describe('The content of the memory; null when it is deleted.'),
  importance: z.number().int().nullable(),
  ts: z.string(),
});
export type ThreadChange = z.infer<typeof threadChangeSchema>;

export const threadDeltaSchema = z.object({
  user_id: z.string(),
  thread_id: z.string(),
  since: z.number().int(),
  revision: z.number().int().describe('The current revision of the thread: the next `since`.'),
  header: z
    .string()
    .nullable()
    .describe('The changes in at most three bullets, for a prompt; null when there are none.'),
  changes: z.array(threadChangeSchema).describe('Every change since that revision, oldest first.'),
  next_cursor: z.string().nullable(),
});
export type ThreadDelta = z.infer<typeof threadDeltaSchema>;

/** Parts of a text that a summary covers: a chunk, a group of chunks, the whole (docs/reference/summaries.md#the-tree). */
export const SUMMARY_TIERS = ['L1', 'L2', 'L3'] as const;

export const threadSummaryQuerySchema = z.strictObject({
  user_id: externalIdSchema.optional().describe('The user of the thread; optional with a key that is bound to a user.'),
  level: z
    .enum([...SUMMARY_TIERS, 'all'])
    .default('L3')
    .describe('`L3` is the summary of the whole thread, `L2` are those of groups of chunks, `L1` those of chunks.'),
  tombstones: queryFlagSchema
    .default(false)
    .describe('Whether to list summaries that were replaced as well, behind the live ones, the last one first.'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const summarySentenceSchema = z.object({
  text: z.string(),
  message_ids: z.array(uuidSchema).describe('The messages that it rests on.'),
});

export const summarySchema = z.object({
  id: uuidSchema,
  level: z.enum(SUMMARY_TIERS),
  position: z.number().int().describe('Of the chunk or group, from 0.'),
  depth: z.enum(['BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL']).describe('By the length of the thread.'),
  kind: conversationKindSchema,
  state: z.enum(['live', 'tombstoned']),
  text: z.string().describe('The sentences, joined.'),
  sentences: z.array(summarySentenceSchema),
  from_seq: z.number().int().describe('`seq` of the first message that it covers.'),
  as_of_seq: z.number().int().describe('`seq` of the last message that it covers: later ones are not in it.'),
  provider: z.string().describe('`local` when it was made by rules, without a model.'),
  model: z.string().nullable(),
  compression: z.object({
    covered_tokens: z.number().int(),
    summary_tokens: z.number().int(),
    ratio: z.number(),
    target_ratio: z.number(),
    meets_target: z.boolean(),
  }),
  created_at: z.string(),
  replaced_by: uuidSchema.nullable().describe('The summary that replaced it.'),
  tombstoned_at: z.string().nullable(),
});
export type Summary = z.infer<typeof summarySchema>;

export const threadSummarySchema = z.object({
  user_id: z.string(),
  thread_id: z.string(),
  conversation_id: uuidSchema,
  last_seq: z.number().int().describe('`seq` of the last message of the thread.'),
  summaries: z.array(summarySchema),
});
export type ThreadSummaries = z.infer<typeof threadSummarySchema>;

const threadUserShape = {
  user_id: externalIdSchema.optional().describe('The user of the thread; optional with a key that is bound to a user.'),
};

export const restoreSummarySchema = z.strictObject({
  ...threadUserShape,
  summary_id: uuidSchema.describe('A summary that was replaced, as `tombstones=true` lists them.'),
});

export const summaryRestoredSchema = z.object({
  conversation_id: uuidSchema,
  summary_id: uuidSchema.describe('The summary that is live now.'),
  replaced: uuidSchema.nullable().describe('The summary that was live in its place.'),
});
export type SummaryRestored = z.infer<typeof summaryRestoredSchema>;

export const restoreTurnsSchema = z.strictObject(threadUserShape);
export const turnsRestoredSchema = z.object({
  conversation_id: uuidSchema,
  restored: z.number().int().describe('Turns that were evicted and may be recalled again.'),
});
export type TurnsRestored = z.infer<typeof turnsRestoredSchema>;

export const relatedMemorySchema = z.object({
  id: uuidSchema,
  category: z.string(),
  type: z.string(),
  content: z.string(),
  relation_type: z.string(),
  strength: z.number().describe('0–1.'),
  direction: z.enum(['out', 'in']).describe('`out`: the relation goes from the requested memory to this one.'),
  linked_at: z.string(),
});
export const relatedPageSchema = pageOf(relatedMemorySchema);
export type RelatedPage = z.infer<typeof relatedPageSchema>;
