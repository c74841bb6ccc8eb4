import { z } from 'zod';
import { isInstantInRange, pageShape, uuidSchema } from '../primitives.js';

export const daySchema = z.iso
  .date()
  .refine((day) => isInstantInRange(Date.parse(day)), { error: 'Give a date between the years 1900 and 2200.' })
  .describe('A UTC day, as 2026-11-22.');

export const USAGE_GROUPS = ['day', 'model', 'user', 'batch', 'call'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const periodShape = {
  from: daySchema.optional().describe('First UTC day; by default 29 days before `to`.'),
  to: daySchema.optional().describe('Last UTC day; by default today.'),
};

/** A range of days whose ends are in order. */
function isPeriod({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): boolean {
  return from === undefined || to === undefined || from <= to;
}

const NOT_A_PERIOD = { error: 'Give a day that is not after `to`.', path: ['from'] };

export const usageQuerySchema = z
  .strictObject({ ...periodShape, group_by: z.enum(USAGE_GROUPS).default('day'), ...pageShape })
  .refine(isPeriod, NOT_A_PERIOD);

export const tenantCostsQuerySchema = z.strictObject({ ...periodShape, ...pageShape }).refine(isPeriod, NOT_A_PERIOD);

export const CALL_OPERATIONS = [
  'extraction',
  'embedding',
  'rerank',
  'reconciliation',
  'writing',
  'multi_fact',
  'procedural',
  'insights',
  'consolidation',
  'summary',
  'app_memory',
  'app_compaction',
  'chat',
] as const;
export type CallOperation = (typeof CALL_OPERATIONS)[number];

const count = z.number().int().min(0);
const microUsd = count.describe('Micro-USD (millionths of a US dollar).');

const usageShape = {
  calls: count,
  tokens: z.object({
    input: count.describe('All input tokens, cached or not.'),
    output: count,
    cache_read: count.describe('The part of `input` that was read from the provider’s prompt cache.'),
    cache_write: count.describe('The part of `input` that was written to the provider’s prompt cache.'),
  }),
  cost_micro_usd: microUsd,
  estimated: z.boolean().describe('Some of the figures are estimates, because the provider reported none.'),
};

export const usageRowSchema = z.object({
  day: z.string().nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  operation: z.enum(CALL_OPERATIONS).nullable(),
  user_id: z.string().nullable(),
  batch_id: uuidSchema.nullable(),
  call_id: uuidSchema.nullable(),
  outcome: z
    .string()
    .nullable()
    .describe('Of a single call: `ok`, an error type, `aborted`, or `lost` with its worker.'),
  at: z.string().nullable(),
  ...usageShape,
});
export type UsageRow = z.infer<typeof usageRowSchema>;

export const usageTotalsSchema = z.object({
  ...usageShape,
  memories: count.describe('Memories inserted by the batches that finished on these days.'),
  cost_per_memory_micro_usd: microUsd.nullable().describe('Null without memories.'),
});
export type UsageTotals = z.infer<typeof usageTotalsSchema>;

export const budgetSchema = z.object({
  day: z.string(),
  daily_limit_micro_usd: microUsd.nullable().describe('Null: no limit.'),
  source: z.enum(['configuration', 'api']).describe('Where the limit comes from; one set by the API takes precedence.'),
  spent_micro_usd: microUsd,
  reserved_micro_usd: microUsd.describe('Reserved for calls in progress, at their maximum cost.'),
  budget_utilization: z
    .number()
    .min(0)
    .nullable()
    .describe('Percent of the limit that is spent; null without a limit.'),
  resets_at: z.string().describe('The next UTC midnight.'),
});
export type Budget = z.infer<typeof budgetSchema>;

export const usagePageSchema = z.object({
  from: z.string(),
  to: z.string(),
  items: z.array(usageRowSchema),
  next_cursor: z.string().nullable(),
  totals: usageTotalsSchema.describe('Over all requested days, not only this page.'),
  budget: budgetSchema.describe('The tenant’s own budget today.'),
  deferred_batches: count.describe('Batches that are deferred by a budget or by unavailable providers.'),
});
export type UsagePage = z.infer<typeof usagePageSchema>;

export const tenantCostsSchema = z.object({
  tenant_id: uuidSchema,
  name: z.string(),
  calls: count,
  cost_micro_usd: microUsd,
});
export type TenantCosts = z.infer<typeof tenantCostsSchema>;

export const tenantCostsPageSchema = z.object({
  from: z.string(),
  to: z.string(),
  items: z.array(tenantCostsSchema).describe('Each tenant, in order of creation, also those without calls.'),
  next_cursor: z.string().nullable(),
  deleted_tenants_cost_micro_usd: microUsd.describe('What tenants cost on these days that are deleted by now.'),
});
export type TenantCostsPage = z.infer<typeof tenantCostsPageSchema>;

/** A million US dollars a day: a higher limit is most likely a mistake in the unit. */
const MAX_MICRO_USD = 1_000_000_000_000;

export const PAID_PROVIDERS = ['claude', 'openai'] as const;
export type PaidProvider = (typeof PAID_PROVIDERS)[number];

const limitSchema = z
  .number()
  .int()
  .min(0)
  .max(MAX_MICRO_USD)
  .nullable()
  .describe('Micro-USD (millionths of a US dollar) per UTC day. 0: no limit. Null: as configured.');

export const putBudgetSchema = z.strictObject({ daily_limit_micro_usd: limitSchema });

export const putDeploymentBudgetsSchema = z
  .strictObject({
    deployment: limitSchema.optional(),
    claude: limitSchema.optional(),
    openai: limitSchema.optional(),
  })
  .refine((limits) => Object.values(limits).some((limit) => limit !== undefined), {
    error: 'Name at least one of deployment, claude, openai.',
  });
export type PutDeploymentBudgets = z.infer<typeof putDeploymentBudgetsSchema>;

export const tenantBudgetSchema = budgetSchema.extend({
  resumed_batches: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Number of deferred batches that the raised budget resumed.'),
});
export type TenantBudget = z.infer<typeof tenantBudgetSchema>;

export const deploymentBudgetsSchema = z.object({
  deployment: budgetSchema,
  providers: z.object({ claude: budgetSchema, openai: budgetSchema }),
  resumed_batches: z.number().int().min(0).optional(),
});
export type DeploymentBudgets = z.infer<typeof deploymentBudgetsSchema>;
