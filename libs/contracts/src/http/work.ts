import { z } from 'zod';
import { WORK_KINDS } from '../jobs/queues.js';
import { externalIdSchema, pageOf, pageShape, uuidSchema } from '../primitives.js';

/** Why work that calls models waits: for energy (docs/reference/energy.md) and for their next turn wait minds alone. */
export const MODEL_WAIT_REASONS = ['budget_exceeded', 'provider_unavailable', 'energy', 'not_due'] as const;
export type ModelWaitReason = (typeof MODEL_WAIT_REASONS)[number];

/** Why work other than a batch waits for a later time (docs/reference/work.md#deferral). */
export const WORK_DEFERRAL_REASONS = [
  ...MODEL_WAIT_REASONS,
  // The folder of the vault cannot be written now (docs/reference/vault.md).
  'vault_unavailable',
] as const;
export type WorkDeferralReason = (typeof WORK_DEFERRAL_REASONS)[number];

/** Where a row of work is (docs/reference/work.md#states). */
export const WORK_STATES = ['waiting', 'deferred', 'in_flight', 'failed'] as const;
export type WorkState = (typeof WORK_STATES)[number];

export const workSchema = z.object({
  id: uuidSchema,
  kind: z.enum(WORK_KINDS),
  subject_id: uuidSchema.describe(
    'What the work is about: the id of a batch or conversation, or that of a user in queues and logs.',
  ),
  user_id: z.string().nullable().describe('The user, when the work is about one or a conversation.'),
  status: z.enum(WORK_STATES),
  due_at: z.string().describe('When it was or will be due.'),
  attempts: z.number().int().describe('How often a worker has taken it. Batches count their own attempts.'),
  deferred_reason: z.enum(WORK_DEFERRAL_REASONS).nullable(),
  failure_code: z.string().nullable().describe('Stable error code: timeout, authentication, stalled, internal …'),
  failed_at: z.string().nullable(),
  created_at: z.string(),
});
export type Work = z.infer<typeof workSchema>;

const workReasonSchema = z.object({
  state: z.enum(['deferred', 'failed']),
  code: z.string().describe('Stable code: why work waits for a later time, or has failed.'),
  rows: z.number().int(),
});
const workOfKindSchema = z.object({
  kind: z.enum(WORK_KINDS),
  due: z.number().int().describe('Due, and not with the queue yet.'),
  in_flight: z.number().int().describe('With the queue or a worker.'),
  scheduled: z.number().int().describe('Due at a later time, deferred work included.'),
  deferred: z.number().int(),
  failed: z.number().int(),
  oldest_due_ms: z.number().describe('Since the oldest row became due that is due or in flight; 0 without one.'),
  oldest_in_flight_ms: z.number().describe('Since the oldest row in flight was released; 0 without one.'),
  reasons: z.array(workReasonSchema).describe('Most frequent first within a state.'),
});
export const workOverviewSchema = z.object({
  kinds: z.array(workOfKindSchema).describe('Of each state, 100 000 rows of a kind are counted at most.'),
});
export type WorkOverview = z.infer<typeof workOverviewSchema>;

export const listWorkQuerySchema = z.strictObject({
  status: z.enum(WORK_STATES).optional(),
  kind: z.enum(WORK_KINDS).optional(),
  user_id: externalIdSchema.describe('Work about this user, or about a conversation of theirs.').optional(),
  ...pageShape,
});
export type ListWorkQuery = z.infer<typeof listWorkQuerySchema>;
export const workPageSchema = pageOf(workSchema);
export type WorkPage = z.infer<typeof workPageSchema>;
