import { z } from 'zod';
import { uuidSchema } from '../primitives.js';

const share = z.number();

/** What a score is made of; each 0–1. The last three are what they add, not what they are. */
export const scorePartsSchema = z.object({
  vector: share.describe('Calibrated cosine.'),
  lexical: share.describe('Calibrated lexical score.'),
  relevance: share.describe('Both together; the reranker’s score when it was asked. `threshold` is held against it.'),
  rerank: share.nullable().describe('The cross-encoder’s score; null when none was asked.'),
  recency: share.describe('exp(-age / 30 days), before its weight.'),
  importance: share.describe('What its importance adds.'),
  relation: share.describe('What its strongest link to another candidate adds.'),
});
export type QueryScoreParts = z.infer<typeof scorePartsSchema>;

/** Why a candidate is not among the answers. */
export const DROP_REASONS = [
  'threshold',
  'rerank',
  'same_source',
  'rag_length',
  'diversity',
  'top_k',
  'budget',
] as const;
export type QueryDropReason = (typeof DROP_REASONS)[number];

const candidateFields = { id: uuidSchema, kind: z.enum(['memory', 'turn']), category: z.string() };
const count = z.number().int().min(0);
const modelSchema = z.object({
  model: z.string(),
  failed: z.string().nullable().describe('Why it was unavailable.'),
});

/** How an answer came about. It speaks only of what the caller may see. */
export const queryExplanationSchema = z.object({
  terms: z
    .array(z.object({ term: z.string(), weight: z.number() }))
    .describe('Index terms of the question, with what each counts beside its rarity.'),
  categories: z.array(z.string()).nullable().describe('The categories that were searched; null for all.'),
  candidates: z.object({ memories: count, turns: count }),
  kept: z.array(z.object({ ...candidateFields, score: share, scores: scorePartsSchema, tokens: count })),
  dropped: z.array(z.object({ ...candidateFields, relevance: share, why: z.enum(DROP_REASONS) })),
  header: z.enum(['not_requested', 'no_changes', 'included', 'over_budget']),
  embedding: modelSchema.nullable().describe('Null without a question.'),
  reranker: modelSchema.nullable().describe('Null when none is set up, or there is no question.'),
  timings_ms: z.record(z.string(), z.number()),
});
export type QueryExplanation = z.infer<typeof queryExplanationSchema>;
