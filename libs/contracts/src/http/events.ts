import { z } from 'zod';
import { categorySchema } from '../memory/vocabulary.js';
import { externalIdSchema, instantSchema, pageOf, pageShape, uuidSchema } from '../primitives.js';

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
      'The component: `hotpath` (memories of a batch, queries with purpose `recall`), `episodic` (memories of a batch of that type), `api` (writes by request), `worker` (expiry, purge), `tom` (insights), `context` (queries with purpose `context`), `gateway` (refused requests) or `webhook` (webhooks that were disabled).',
    ),
  op: wordSchema
    .optional()
    .describe(
      'What was done: `create`, `update`, `merge`, `link`, `delete`, `ttl` (expiry), `purge`, `restore`, `undo`, `quarantine` or `release` to a memory; `classify` of a batch (`skipped`: nothing in it was worth extracting); `search` for memories, by a write or a query; `recall` by a query on demand; `refuse` of a request; `disable` of a webhook.',
    ),
  status: z.enum(EVENT_STATUSES).optional(),
  memory_id: uuidSchema.optional(),
  category: categorySchema.optional(),
  after: instantSchema.optional().describe('At or after that time.'),
  before: instantSchema.optional().describe('Before that time.'),
};

export const listEventsQuerySchema = z.strictObject({
  ...filters,
  ...pageShape,
});
export type ListEventsQuery = z.infer<typeof listEventsQuerySchema>;

/** What was done or refused, without content (docs/reference/audit.md#operational-events). */
export const eventSchema = z.object({
  id: uuidSchema,
  user_id: z.string().nullable(),
  thread_id: z.string().nullable().describe('The thread of the batch, query or request, if it has one.'),
  node: z.string(),
  op: z.string(),
  status: z.enum(EVENT_STATUSES),
  memory_id: uuidSchema.nullable(),
  category: z.string().nullable(),
  sim: z
    .number()
    .nullable()
    .describe(
      'The best cosine among the compared memories, null if none was computed, and for a key with categories; of `link` the strongest relation.',
    ),
  ts: z.string(),
});
export const eventPageSchema = pageOf(eventSchema);
export type EventPage = z.infer<typeof eventPageSchema>;

export const countEventsQuerySchema = z.strictObject({
  ...filters,
  after: instantSchema.optional().describe('At or after that time; by default 24 hours before `before`.'),
  before: instantSchema.optional().describe('Before that time; by default now.'),
  interval: z.enum(['hour', 'day', 'all']).default('all').describe('`all`: one count for the whole time.'),
});
export type CountEventsQuery = z.infer<typeof countEventsQuerySchema>;

export const eventCountsSchema = z.object({
  after: z.string(),
  before: z.string(),
  items: z.array(
    z.object({
      from: z.string().nullable().describe('The start of the interval, in UTC; null for the whole time.'),
      node: z.string(),
      op: z.string(),
      status: z.enum(EVENT_STATUSES),
      count: z.number().int(),
    }),
  ),
});
export type EventCounts = z.infer<typeof eventCountsSchema>;
