import {
  extractedMemorySchema,
  extractedRelationSchema,
  extractionResponseSchema,
  RELATION_TYPES,
} from '@annals/contracts';
import { z } from 'zod';

// Strict schemas know no ranges and no open records. So numbers of a scale are listed and records get fixed keys; what
// is never read (`rationale`) is not paid for.
const requestedMemorySchema = extractedMemorySchema.omit({ rationale: true }).extend({
  importance: z.literal([1, 2, 3, 4, 5]),
  confidence: z.number(),
  relations: z.array(extractedRelationSchema.extend({ relation_type: z.enum(RELATION_TYPES) })),
  emotionalContext: z.object({ emotion: z.string(), intensity: z.number() }).optional(),
  significance: z.object({ overall: z.number() }).optional(),
  relationshipDynamics: z.object({ person: z.string(), bond: z.string(), change: z.string() }).optional(),
});

/**
 * The part of `memory_llm_response_v1` a model is asked for, filed under one of `categories`. Optional properties are
 * asked for as nullable: whoever reads an answer takes null for absent.
 */
export function buildRequestedSchema(categories: readonly string[]) {
  const memory = requestedMemorySchema.extend({ category: z.enum(categories) });
  return extractionResponseSchema.extend({ memories: z.array(memory) });
}
