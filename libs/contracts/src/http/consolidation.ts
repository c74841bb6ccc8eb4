import { z } from 'zod';
import { externalIdSchema, pageOf, pageShape, uuidSchema } from '../primitives.js';
import { MIND_RUN_STATES, mindRunSchema } from './minds.js';

export const startConsolidationSchema = z.strictObject({
  user_id: externalIdSchema.describe('Whose memories are tidied.'),
  dry_run: z.boolean().default(false).describe('Record what would be changed, and change nothing.'),
});
export type StartConsolidation = z.infer<typeof startConsolidationSchema>;

export const consolidationAcceptedSchema = z.object({
  run_id: uuidSchema,
  status_url: z.string().describe('Where the run is reported.'),
});
export type ConsolidationAccepted = z.infer<typeof consolidationAcceptedSchema>;

export const listConsolidationRunsQuerySchema = z.strictObject({
  user_id: externalIdSchema.optional(),
  state: z.enum(MIND_RUN_STATES).optional(),
  ...pageShape,
});
export const consolidationRunPageSchema = pageOf(mindRunSchema);

/** How a change of a run stands (docs/reference/consolidation.md#changes-of-a-run). */
const CONSOLIDATION_CHANGE_STATES = ['planned', 'written', 'refused', 'skipped', 'undone', 'left'] as const;

export const consolidationChangeSchema = z.object({
  ordinal: z.number().int(),
  change: z.enum(['merge', 'link', 'rerank']),
  state: z.enum(CONSOLIDATION_CHANGE_STATES),
  reason: z
    .string()
    .describe('Why: words, model, related, retrieved …; of a refused merge what the checks found, by kind.'),
  memory_ids: z.array(uuidSchema).describe('What it is about: read the texts by these ids.'),
  revisions_before: z.array(z.number().int()),
  revisions_after: z.array(z.number().int()).nullable().describe('Of the same memories, then of the result.'),
  result_id: uuidSchema.nullable().describe('Of a merge, the memory that took the place of the two.'),
  numbers: z.record(z.string(), z.number()).describe('Importance from and to, or the strength of a relation.'),
  left_reason: z.string().nullable().describe('Why an undo left it.'),
  changed_at: z.string(),
});
export type ConsolidationChange = z.infer<typeof consolidationChangeSchema>;

export const consolidationRunSchema = mindRunSchema.extend({ changes: z.array(consolidationChangeSchema) });
export type ConsolidationRun = z.infer<typeof consolidationRunSchema>;

export const consolidationUndoneSchema = z.object({
  run_id: uuidSchema,
  undone: z.number().int().describe('Changes that were undone.'),
  left: z
    .record(z.string(), z.number().int())
    .describe('Changes that stay, by reason: `changed_since`, `deleted_since`. The run names each.'),
});
export type ConsolidationUndone = z.infer<typeof consolidationUndoneSchema>;
