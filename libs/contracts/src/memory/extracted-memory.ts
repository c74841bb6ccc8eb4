import { z } from 'zod';
import { storableText } from '../primitives.js';
import { categorySchema, confidenceSchema, importanceSchema, MAX_MEMORY_LENGTH } from './vocabulary.js';

/** See docs/reference/streaming-and-repair.md#response-schema-and-adapters. */
export const RESPONSE_SCHEMA_VERSION = 'memory_llm_response_v1';

/** Evidence of a memory: the text `quote`, as it occurs in message `message_id`. */
export const evidenceSchema = z.object({ message_id: z.string().min(1), quote: z.string() });
export type Evidence = z.infer<typeof evidenceSchema>;

const unitScore = z.number().min(0).max(1);

export const emotionalContextSchema = z.record(z.string(), z.union([unitScore, z.string()]));
export const significanceSchema = z.object({ overall: unitScore }).catchall(unitScore);
export const relationshipDynamicsSchema = z.record(z.string(), z.unknown());

/** A relation between two statements of one answer; `to_index` is an index into `memories`. */
export const extractedRelationSchema = z.object({
  to_index: z.number().int().min(0),
  relation_type: z.string().min(1).max(64),
  strength: unitScore,
});

/**
 * One statement as a provider extracted it. `content` is a self-contained third-person sentence, `valid_from` when it
 * began to hold or happened (RFC 3339; without it the time of the cited message counts), `confidence` 0.5 when missing.
 */
export const extractedMemorySchema = z.object({
  content: storableText(1, MAX_MEMORY_LENGTH),
  category: categorySchema,
  type: z.enum(['semantic', 'episodic']).default('semantic'),
  importance: importanceSchema.default(2),
  confidence: confidenceSchema.optional(),
  evidence: z.array(evidenceSchema).max(20),
  valid_from: z.iso.datetime({ offset: true }).optional(),
  valid_to: z.iso.datetime({ offset: true }).optional(),
  relations: z.array(extractedRelationSchema).max(20).optional(),
  emotionalContext: emotionalContextSchema.optional(),
  significance: significanceSchema.optional(),
  relationshipDynamics: relationshipDynamicsSchema.optional(),
  rationale: z.string().max(1_000).optional(),
});
export type ExtractedMemory = z.infer<typeof extractedMemorySchema>;

export const extractionResponseSchema = z.object({
  schemaVersion: z.literal(RESPONSE_SCHEMA_VERSION),
  memories: z.array(extractedMemorySchema).max(200),
});
export type ExtractionResponse = z.infer<typeof extractionResponseSchema>;

/**
 * What extraction passes to persistence, in final order: the memory as extracted, and why it is quarantined when its
 * evidence was not confirmed (docs/reference/extraction.md#quarantine). An answer of a model has no
 * procedures: these are found by rules (docs/reference/extraction.md#procedures).
 */
export const extractedItemSchema = extractedMemorySchema.extend({
  type: z.enum(['semantic', 'episodic', 'procedural']).default('semantic'),
  quarantineReason: z.string().optional(),
});
export type ExtractedItem = z.infer<typeof extractedItemSchema>;
