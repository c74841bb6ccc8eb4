import { z } from 'zod';
import { uuidSchema } from '../primitives.js';

const share = z.number();

/** The parts of a score, each 0–1. */
export const scorePartsSchema = z.object({
  vector: share.describe('Calibrated cosine.'),
  lexical: share.describe('Calibrated lexical score.'),
  relevance: share.describe(
    'Vector and lexical score combined, or the reranker’s score if it was called. `threshold` applies to it unless it is the reranker’s.',
  ),
  rerank: share.nullable().describe('The reranker’s score; null if it was not called.'),
  recency: share.describe('exp(-age / 30 days), before its weight.'),
  importance: share.describe('What the importance adds to the score.'),
  relation: share.describe('What the strongest relation to another candidate adds to the score.'),
});
export type QueryScoreParts = z.infer<typeof scorePartsSchema>;

/** Why a candidate is not among the results. */
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

/** How a response was computed. Contains only what the caller may see. */
export const queryExplanationSchema = z.object({
  terms: z
    .array(z.object({ term: z.string(), weight: z.number() }))
    .describe('Index terms of the query, with the weight of each apart from its inverse document frequency.'),
  categories: z.array(z.string()).nullable().describe('The categories that were searched; null for all.'),
  candidates: z.object({ memories: count, turns: count }),
  kept: z.array(z.object({ ...candidateFields, score: share, scores: scorePartsSchema, tokens: count })),
  dropped: z.array(z.object({ ...candidateFields, relevance: share, why: z.enum(DROP_REASONS) })),
  header: z.enum(['not_requested', 'no_changes', 'included', 'over_budget']),
  embedding: modelSchema.nullable().describe('Null without a query.'),
  reranker: modelSchema.nullable().describe('Null when none is configured, or without a query.'),
  timings_ms: z.record(z.string(), z.number()),
});
export type QueryExplanation = z.infer<typeof queryExplanationSchema>;
