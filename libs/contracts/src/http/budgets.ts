import { z } from 'zod';
import { budgetSchema } from './usage.js';

/** A million US dollars a day: a higher limit is most likely a mistake in the unit. */
const MAX_MICRO_USD = 1_000_000_000_000;

/** Providers whose calls cost money. */
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
export type PutBudget = z.infer<typeof putBudgetSchema>;

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
