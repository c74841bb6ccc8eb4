import { z } from 'zod';

const index = z.number().int().min(0);
const ranked = z.object({
  results: z.array(z.object({ index, relevance_score: z.number() })),
  usage: z.object({ prompt_tokens: z.number().optional(), total_tokens: z.number().optional() }).nullish(),
});
const bare = z.array(z.object({ index, score: z.number() }));

/** Scores in the order of the documents, on the scale of the server; tokens if the server reports them. */
export interface ParsedScores {
  readonly scores: readonly number[];
  readonly tokens?: number;
}

/** Parses the answer of Cohere, Jina, vLLM and llama.cpp. Undefined unless every document has exactly one score. */
export function parseRankedScores(body: unknown, count: number): ParsedScores | undefined {
  const parsed = ranked.safeParse(body);
  if (!parsed.success) return undefined;
  const { results, usage } = parsed.data;
  const scores = orderScores(
    results.map(({ index: position, relevance_score: score }) => ({ position, score })),
    count,
  );
  const tokens = usage?.total_tokens ?? usage?.prompt_tokens;
  return scores && { scores, ...(tokens === undefined ? {} : { tokens }) };
}

/**
 * Parses the answer of text-embeddings-inference: a bare array. Undefined unless every document has exactly one score.
 */
export function parseBareScores(body: unknown, count: number): ParsedScores | undefined {
  const parsed = bare.safeParse(body);
  if (!parsed.success) return undefined;
  const scores = orderScores(
    parsed.data.map(({ index: position, score }) => ({ position, score })),
    count,
  );
  return scores && { scores };
}

/** Some servers sort by score, so only the index counts. */
function orderScores(results: readonly { position: number; score: number }[], count: number): number[] | undefined {
  const scores = new Map(results.map(({ position, score }) => [position, score]));
  if (results.length !== count || scores.size !== count) return undefined;
  const ordered = Array.from({ length: count }, (_, position) => scores.get(position));
  return ordered.every((score) => score !== undefined) ? ordered : undefined;
}
