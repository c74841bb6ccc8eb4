import { z } from 'zod';
import type { JsonSchema } from '../prompt/extraction-prompt.js';
import { toStrictSchema } from '../prompt/to-strict-schema.js';

/** The operations on memories (docs/reference/reconciliation.md#decisions-by-a-model). */
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

/** Derived once: the same object, and the same bytes, in every prompt. */
export const RECONCILIATION_SCHEMA: JsonSchema = toStrictSchema(
  z.toJSONSchema(
    z.object({
      decisions: z.array(reconciliationAnswerSchema.shape.decisions.element.extend({ with: z.string().optional() })),
    }),
  ),
);
