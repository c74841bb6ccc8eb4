import { z } from 'zod';
import { cursorSchema, pageLimitSchema, uuidSchema } from '../primitives.js';

/** A UTC day. */
export const daySchema = z.iso.date().describe('A UTC day, as 2026-11-22.');

/** What usage is added up by; `call` shows every call of a model by itself. */
export const USAGE_GROUPS = ['day', 'model', 'user', 'batch', 'call'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export const usageQuerySchema = z
  .strictObject({
    from: daySchema.optional().describe('First UTC day; 29 days before `to` unless given.'),
    to: daySchema.optional().describe('Last UTC day; today unless given.'),
    group_by: z.enum(USAGE_GROUPS).default('day'),
    limit: pageLimitSchema,
    cursor: cursorSchema.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    error: 'Give a day that is not after `to`.',
    path: ['from'],
  });
export type UsageQuery = z.infer<typeof usageQuerySchema>;

/** What a paid call of a model is for. */
export const CALL_OPERATIONS = [
  'extraction',
  'embedding',
  'rerank',
  'reconciliation',
  'writing',
  'multi_fact',
  'procedural',
] as const;
export type CallOperation = (typeof CALL_OPERATIONS)[number];

const count = z.number().int().min(0);
const microUsd = count.describe('Millionths of a US dollar.');

const usageShape = {
  calls: count,
  tokens: z.object({
    input: count.describe('Everything that was read, cached or not.'),
    output: count,
    cache_read: count.describe('The part of `input` that came out of the provider’s prompt cache.'),
    cache_write: count.describe('The part of `input` that was put into it.'),
  }),
  cost_micro_usd: microUsd,
  estimated: z.boolean().describe('Some of the figures are ours, since the provider told none.'),
};

export const usageRowSchema = z.object({
  day: z.string().nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  operation: z.enum(CALL_OPERATIONS).nullable(),
  user_id: z.string().nullable(),
  batch_id: uuidSchema.nullable(),
  call_id: uuidSchema.nullable(),
  outcome: z.string().nullable().describe('Of a single call: ok, what it failed by, or `lost` with its worker.'),
  at: z.string().nullable(),
  ...usageShape,
});
export type UsageRow = z.infer<typeof usageRowSchema>;

export const usageTotalsSchema = z.object({
  ...usageShape,
  memories: count.describe('Memories inserted by the batches that ended in these days.'),
  cost_per_memory_micro_usd: microUsd.nullable().describe('Null without memories.'),
});
export type UsageTotals = z.infer<typeof usageTotalsSchema>;

/** A budget and where it stands today. */
export const budgetSchema = z.object({
  day: z.string(),
  daily_limit_micro_usd: microUsd.nullable().describe('Null: no limit.'),
  source: z.enum(['configuration', 'api']).describe('Where the limit comes from; one set by the API wins.'),
  spent_micro_usd: microUsd,
  reserved_micro_usd: microUsd.describe('Set aside for calls that are under way, at most what they can cost.'),
  budget_utilization: z.number().min(0).nullable().describe('Percent of the limit that is spent; null without one.'),
  resets_at: z.string().describe('The next UTC midnight.'),
});
export type Budget = z.infer<typeof budgetSchema>;

export const usagePageSchema = z.object({
  from: z.string(),
  to: z.string(),
  items: z.array(usageRowSchema),
  next_cursor: z.string().nullable(),
  totals: usageTotalsSchema.describe('Over all days asked for, not over this page.'),
  budget: budgetSchema.describe('The tenant’s own budget today.'),
  deferred_batches: count.describe('Batches that wait for money or for a provider.'),
});
export type UsagePage = z.infer<typeof usagePageSchema>;
