import { extractedMemorySchema, extractionResponseSchema } from '@annals/contracts';
import { z } from 'zod';
import { ASKED_CATEGORIES } from './asked-categories.js';

// Strict schemas know no ranges and no open records. So numbers of a scale are listed and records get fixed keys; what
// is never read (`rationale`) is not paid for.
const askedMemorySchema = extractedMemorySchema.omit({ rationale: true }).extend({
  category: z.enum(ASKED_CATEGORIES),
  importance: z.literal([1, 2, 3, 4, 5]),
  confidence: z.number(),
  relations: extractedMemorySchema.shape.relations.unwrap(),
  emotionalContext: z.object({ emotion: z.string(), intensity: z.number() }).optional(),
  significance: z.object({ overall: z.number() }).optional(),
  relationshipDynamics: z.object({ person: z.string(), bond: z.string(), change: z.string() }).optional(),
});

/**
 * The part of `memory_llm_response_v1` a model is asked for. Optional properties are asked for as nullable: whoever reads
 * an answer takes null for absent.
 */
export const askedShape = extractionResponseSchema.extend({ memories: z.array(askedMemorySchema) });
