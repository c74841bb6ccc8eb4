import { z } from 'zod';
import type { JsonSchema } from '../prompt/extraction-prompt.js';
import { toStrictSchema } from '../prompt/to-strict-schema.js';

/** The schema of a reconciliation answer (docs/reference/reconciliation.md#decisions-by-a-model). */
export const reconciliationAnswerSchema = z.object({
  decisions: z.array(
    z.object({
      id: z.string(),
      event: z.enum(['ADD', 'UPDATE', 'DELETE', 'NONE']),
      with: z.string().nullish(),
    }),
  ),
});

export const RECONCILIATION_SCHEMA_NAME = 'memory_reconciliation_v1';

/** Derived once, so that every prompt contains the same object and the same bytes. */
export const RECONCILIATION_SCHEMA: JsonSchema = toStrictSchema(
  z.toJSONSchema(
    z.object({
      decisions: z.array(reconciliationAnswerSchema.shape.decisions.element.extend({ with: z.string().optional() })),
    }),
  ),
);
