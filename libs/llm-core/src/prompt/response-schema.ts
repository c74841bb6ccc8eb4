import {
  extractedMemorySchema,
  extractedRelationSchema,
  extractionResponseSchema,
  RELATION_TYPES,
} from '@annals/contracts';
import { z } from 'zod';
import type { JsonSchema } from '../provider/llm-request.js';
import { toStrictSchema } from './to-strict-schema.js';

// Strict schemas support neither ranges nor open records. Therefore numbers of a scale are enumerated and records get
// fixed keys; fields that are never read (`rationale`) are not requested, to save tokens.
const requestedMemorySchema = extractedMemorySchema.omit({ rationale: true }).extend({
  importance: z.literal([1, 2, 3, 4, 5]),
  confidence: z.number(),
  relations: z.array(extractedRelationSchema.extend({ relation_type: z.enum(RELATION_TYPES) })),
  emotionalContext: z.object({ emotion: z.string(), intensity: z.number() }).optional(),
  significance: z.object({ overall: z.number() }).optional(),
  relationshipDynamics: z.object({ person: z.string(), bond: z.string(), change: z.string() }).optional(),
});

/**
 * Derives the part of `memory_llm_response_v1` that a model is requested to return, with one of `categories`: once per
 * prompt template, so that every prompt of it contains the same object and bytes. Optional properties are requested as
 * nullable: the parser treats null as absent.
 */
export function deriveResponseSchema(categories: readonly string[]): JsonSchema {
  const memory = requestedMemorySchema.extend({ category: z.enum(categories) });
  const response = extractionResponseSchema.extend({ memories: z.array(memory) });
  return toStrictSchema(z.toJSONSchema(response, { io: 'output' }));
}
