import { z } from 'zod';
import { CHANGE_EVENTS } from '../memory/vocabulary.js';
import { externalIdSchema, pageOf, pageShape, uuidSchema } from '../primitives.js';

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
