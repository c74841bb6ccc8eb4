import { z } from 'zod';

const index = z.number().int().min(0);
const ranked = z.object({
  results: z.array(z.object({ index, relevance_score: z.number() })),
  usage: z.object({ prompt_tokens: z.number().optional(), total_tokens: z.number().optional() }).nullish(),
});
const bare = z.array(z.object({ index, score: z.number() }));

/** Scores by place of the document, as the server gave them; tokens where it counts them. */
export interface ReadScores {
  readonly scores: readonly number[];
  readonly tokens?: number;
}

/** Reads the answer of Cohere, Jina, vLLM and llama.cpp. Undefined unless every document has exactly one score. */
export function readRankedScores(body: unknown, count: number): ReadScores | undefined {
  const parsed = ranked.safeParse(body);
  if (!parsed.success) return undefined;
  const { results, usage } = parsed.data;
  const scores = placeScores(
    results.map(({ index: place, relevance_score: score }) => ({ place, score })),
    count,
  );
  const tokens = usage?.total_tokens ?? usage?.prompt_tokens;
  return scores && { scores, ...(tokens === undefined ? {} : { tokens }) };
}

/** Reads the answer of text-embeddings-inference: a bare array. */
export function readBareScores(body: unknown, count: number): ReadScores | undefined {
  const parsed = bare.safeParse(body);
  if (!parsed.success) return undefined;
  const scores = placeScores(
    parsed.data.map(({ index: place, score }) => ({ place, score })),
    count,
  );
  return scores && { scores };
}

/** Servers sort by score, or do not: the place alone counts. */
function placeScores(results: readonly { place: number; score: number }[], count: number): number[] | undefined {
  const scores = new Map(results.map(({ place, score }) => [place, score]));
  if (results.length !== count || scores.size !== count) return undefined;
  const placed = Array.from({ length: count }, (_, place) => scores.get(place));
  return placed.every((score) => score !== undefined) ? placed : undefined;
}
