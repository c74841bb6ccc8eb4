import { z } from 'zod';
import { categorySchema } from '../memory/vocabulary.js';
import { cursorSchema, externalIdSchema, instantSchema, pageLimitSchema, uuidSchema } from '../primitives.js';

export const EVENT_STATUSES = ['ok', 'error', 'skipped'] as const;
const wordSchema = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, {
  error: 'Use a lower-case word, for example "search".',
});

const filters = {
  user_id: externalIdSchema.optional(),
  thread_id: externalIdSchema.optional(),
  node: wordSchema
    .optional()
    .describe(
      'Where it happened: `hotpath` (memories of a batch), `api` (writes by request), `worker` (expiry, purge), `context` (questions) or `gateway` (refusals).',
    ),
  op: wordSchema
    .optional()
    .describe(
      'What was done: `create`, `update`, `merge`, `delete`, `purge`, `restore`, `undo`, `quarantine` or `release` to a memory; `search` or `recall` in `context`, `refuse` in `gateway`.',
    ),
  status: z.enum(EVENT_STATUSES).optional(),
  memory_id: uuidSchema.optional(),
  category: categorySchema.optional(),
  after: instantSchema.optional().describe('Not before that time.'),
  before: instantSchema.optional().describe('Before that time.'),
};

export const listEventsQuerySchema = z.strictObject({
  ...filters,
  limit: pageLimitSchema,
  cursor: cursorSchema.optional(),
});
export type ListEventsQuery = z.infer<typeof listEventsQuerySchema>;

/**
 * An operational event (docs/reference/audit.md#operational-events). It says that something was done, and nobody's
 * words.
 */
export const eventSchema = z.object({
  id: uuidSchema,
  user_id: z.string().nullable(),
  thread_id: z.string().nullable(),
  node: z.string(),
  op: z.string(),
  status: z.enum(EVENT_STATUSES),
  memory_id: uuidSchema.nullable(),
  category: z.string().nullable(),
  sim: z.number().nullable().describe('The best similarity, where one was at hand.'),
  ts: z.string(),
});
export type OperationalEvent = z.infer<typeof eventSchema>;
export const eventPageSchema = z.object({ items: z.array(eventSchema), next_cursor: z.string().nullable() });
export type EventPage = z.infer<typeof eventPageSchema>;

export const countEventsQuerySchema = z.strictObject({
  ...filters,
  after: instantSchema.optional().describe('Not before that time; 24 hours before `before` unless given.'),
  before: instantSchema.optional().describe('Before that time; now unless given.'),
  interval: z.enum(['hour', 'day', 'all']).default('all').describe('`all` counts over the whole time.'),
});
export type CountEventsQuery = z.infer<typeof countEventsQuerySchema>;

export const eventCountsSchema = z.object({
  after: z.string(),
  before: z.string(),
  items: z.array(
    z.object({
      from: z.string().nullable().describe('Where the interval begins, in UTC; null for the whole time.'),
      node: z.string(),
      op: z.string(),
      status: z.enum(EVENT_STATUSES),
      count: z.number().int(),
    }),
  ),
});
export type EventCounts = z.infer<typeof eventCountsSchema>;
