import { z } from 'zod';
import { MIND_KINDS } from '../jobs/queues.js';
import { externalIdSchema, pageOf, pageShape, uuidSchema } from '../primitives.js';

/** What made a run of a mind begin. */
export const MIND_TRIGGERS = ['schedule', 'batch', 'end', 'idle', 'manual'] as const;
export type MindTrigger = (typeof MIND_TRIGGERS)[number];

/** How a run of a mind stands (docs/reference/minds.md#runs). */
export const MIND_RUN_STATES = ['queued', 'running', 'done', 'unchanged', 'deferred', 'failed', 'undone'] as const;
export type MindRunState = (typeof MIND_RUN_STATES)[number];

const count = z.number().int().min(0);

export const mindRunSchema = z.object({
  id: uuidSchema,
  kind: z.enum(MIND_KINDS),
  subject_id: uuidSchema.describe('What it was about: the id of a conversation, or that of a user in queues and logs.'),
  user_id: z.string().nullable(),
  trigger: z.enum(MIND_TRIGGERS),
  dry_run: z.boolean().describe('Whether it only planned what it would change.'),
  state: z.enum(MIND_RUN_STATES),
  counts: z.record(z.string(), z.number()).describe('What it read and changed, by name.'),
  calls: count.describe('Calls of models that were sent.'),
  energy: z.number().min(0).describe('Units of energy that its calls drew.'),
  tokens: z.object({ input: count, output: count }),
  cost_micro_usd: count,
  failure_code: z.string().nullable().describe('Stable error code of a run that failed.'),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});
export type MindRun = z.infer<typeof mindRunSchema>;

export const listMindRunsQuerySchema = z.strictObject({
  kind: z.enum(MIND_KINDS).optional(),
  state: z.enum(MIND_RUN_STATES).optional(),
  user_id: externalIdSchema.optional(),
  ...pageShape,
});
export type ListMindRunsQuery = z.infer<typeof listMindRunsQuerySchema>;
export const mindRunPageSchema = pageOf(mindRunSchema);
export type MindRunPage = z.infer<typeof mindRunPageSchema>;
