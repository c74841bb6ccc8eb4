import { z } from 'zod';
import { externalIdSchema, pageOf, pageShape, uuidSchema } from '../primitives.js';

/** `done` and `failed` are final; `deferred` waits until `deferred_until` (docs/reference/batches.md#batch-states). */
export const BATCH_STATES = ['queued', 'extracting', 'persisting', 'done', 'deferred', 'failed'] as const;
export const batchStateSchema = z.enum(BATCH_STATES);
export type BatchState = z.infer<typeof batchStateSchema>;

/** Why a batch waits (docs/reference/batches.md#deferral-reasons): no budget today, or no provider available. */
export const DEFERRED_REASONS = ['budget_exceeded', 'circuit_open'] as const;
export const deferredReasonSchema = z.enum(DEFERRED_REASONS);
export type DeferredReason = z.infer<typeof deferredReasonSchema>;

/** `bulk` yields to `interactive` for a limited time (docs/reference/queues.md#priority-and-ageing). */
export const BATCH_PRIORITIES = ['interactive', 'bulk'] as const;
export const batchPrioritySchema = z.enum(BATCH_PRIORITIES);
export type BatchPriority = z.infer<typeof batchPrioritySchema>;

export function isFinalBatchState(state: BatchState): boolean {
  return state === 'done' || state === 'failed';
}

export const batchErrorSchema = z.object({
  code: z.string().describe('Stable error code: timeout, transient, parsing, erased, stalled, internal …'),
  message: z.string().describe('What happened and what to do, without content of messages.'),
});

export const batchSchema = z.object({
  id: uuidSchema,
  conversation_id: uuidSchema,
  user_id: z.string(),
  thread_id: z.string(),
  status: batchStateSchema,
  priority: batchPrioritySchema,
  messages: z.number().int(),
  pruned_messages: z.number().int().describe('Messages left out of the prompt because others were more salient.'),
  sealed: z.boolean().describe('False while further messages may still join.'),
  inserted: z.number().int(),
  updated: z.number().int(),
  skipped_duplicate: z.number().int(),
  quarantined: z.number().int(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  tokens: z.object({ input: z.number().int(), output: z.number().int() }),
  cost_micro_usd: z.number().int(),
  attempts: z.number().int(),
  generation: z.number().int(),
  error: batchErrorSchema.nullable(),
  notice: z
    .string()
    .nullable()
    .describe('A note about the provider, for instance that a language model extracts better.'),
  accepted_at: z.string(),
  started_at: z.string().nullable(),
  extracted_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  deferred_until: z.string().nullable(),
  deferred_reason: deferredReasonSchema.nullable(),
  shortfall_micro_usd: z
    .number()
    .int()
    .nullable()
    .describe('The amount by which the budget fell short when the batch was deferred.'),
});
export type Batch = z.infer<typeof batchSchema>;

export const listBatchesQuerySchema = z.strictObject({
  status: batchStateSchema.optional(),
  user_id: externalIdSchema.optional(),
  thread_id: externalIdSchema.optional().describe('Batches of that thread, of all users unless `user_id` is given.'),
  conversation_id: uuidSchema.optional(),
  ...pageShape,
});
export type ListBatchesQuery = z.infer<typeof listBatchesQuerySchema>;
export const batchPageSchema = pageOf(batchSchema);
export type BatchPage = z.infer<typeof batchPageSchema>;
