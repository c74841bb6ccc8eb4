import { analyzeQuery, SeededRng } from '@annals/domain';
import { findCandidates, type CandidateSearchResult } from '@annals/storage';
import { createQuestion } from '../data/memories.ts';
import type { ApiClient } from '../frame/load.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { embedder } from './sentences.ts';

/** Candidates of each sort that `memory.query` ranks for up to ten results. */
const CANDIDATES = 30;
const NEIGHBOURS = 10;
const PLAIN_SQL = `SELECT memory_id FROM plain_vectors WHERE tenant_id = $1 AND user_id = $2 AND model = $3
  ORDER BY embedding <=> $4::vector LIMIT ${NEIGHBOURS}`;
/** Counts memories that are as near as the true neighbours; equally near ones are interchangeable. */
const COUNT_SQL = `WITH near AS (
    SELECT memory_id, embedding <=> $4::vector AS distance FROM plain_vectors
     WHERE tenant_id = $1 AND user_id = $2 AND model = $3)
  SELECT count(*)::int AS count FROM near
   WHERE memory_id = ANY ($5)
     AND distance <= (SELECT max(distance) + 1e-9 FROM (SELECT distance FROM near ORDER BY 1 LIMIT ${NEIGHBOURS}) best)`;

export interface Question {
  readonly text: string;
  readonly userId: string;
  readonly vector: Float32Array;
}

/** Queries for the users in turn. */
export async function createQuestions(userIds: readonly string[], count: number): Promise<Question[]> {
  const rng = new SeededRng(7);
  const texts = Array.from({ length: count }, () => createQuestion(rng));
  const { vectors } = await embedder.embed(texts, { signal: new AbortController().signal });
  return texts.map((text, index) => ({ text, userId: userIds[index % userIds.length]!, vector: vectors[index]! }));
}

const plainValues = (environment: BenchEnvironment, { userId, vector }: Question) => [
  environment.tenantId,
  userId,
  embedder.model,
  `[${vector.join(',')}]`,
];

/** The baseline: pgvector's scan of one user's rows, without row-level security. */
export function scanPlainly(environment: BenchEnvironment, question: Question): Promise<unknown> {
  return environment.superuser.query({ name: 'plain', text: PLAIN_SQL, values: plainValues(environment, question) });
}

/** Finds candidates like the gateway, without the steps after it. */
export function find(
  environment: BenchEnvironment,
  { text, userId, vector }: Question,
): Promise<CandidateSearchResult> {
  const now = environment.clock.now();
  return environment.database.readTenant(environment.tenantId, (tx) =>
    findCandidates(tx, {
      userId,
      queryVector: vector,
      model: embedder.model,
      query: analyzeQuery(text, { now }),
      filters: { user_id: userId },
      categories: null,
      types: null,
      asOf: null,
      knownAt: null,
      now,
      limit: CANDIDATES,
    }),
  );
}

export function ask(client: ApiClient, { text, userId }: Question): Promise<unknown> {
  return client.post('/v1/memory/query', JSON.stringify({ query: text, filters: { user_id: userId } }));
}

/** The share of the true neighbours that is among the candidates nearest to the query. */
export async function measureNeighbours(
  environment: BenchEnvironment,
  questions: readonly Question[],
): Promise<number> {
  let found = 0;
  for (const question of questions) {
    const { candidates } = await find(environment, question);
    const nearest = candidates
      .filter(({ cosine }) => cosine !== null)
      .toSorted((a, b) => b.cosine! - a.cosine!)
      .slice(0, NEIGHBOURS);
    const { rows } = await environment.superuser.query<{ count: number }>(COUNT_SQL, [
      ...plainValues(environment, question),
      nearest.map(({ id }) => id),
    ]);
    found += rows[0]!.count;
  }
  return found / (questions.length * NEIGHBOURS);
}
