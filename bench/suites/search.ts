import { analyzeTerms, readSystemRandomBytes, SeededRng, SystemClock } from '@annals/domain';
import { createEmbeddingProvider, hashText } from '@annals/llm-core';
import { searchMemories, writeMemories } from '@annals/storage';
import { createMemory, createQuestion, createSentence } from '../data/memories.ts';
import { ApiClient, runClosedLoop } from '../frame/load.ts';
import type { BenchPlace } from '../frame/place.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import { say } from '../frame/say.ts';
import { onStage } from '../frame/stage.ts';
import type { Summary } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';
import { takeTurns } from '../frame/take-turns.ts';

const USERS = 100;
const SIZES = [10_000, 100_000];
/** What one conversation brings: a user's rows lie scattered among those of others, as they do in use. */
const MEMORIES_PER_WRITE = 5;
const WRITERS = 16;
const CANDIDATES = 50;
/** The bare part: what pgvector alone takes for one user's rows, without row-level security. */
const BARE_SQL = `SELECT memory_id FROM memory_embeddings WHERE tenant_id = $1 AND user_id = $2 AND model = $3
  ORDER BY embedding <=> $4::vector LIMIT 10`;

const embedder = createEmbeddingProvider({ provider: 'hashed' });
const signal = new AbortController().signal;
const clock = new SystemClock();

/** T5, T6: `memory.query` beside the bare exact scan of the same user's vectors. */
export const benchSearch: Suite = (options) =>
  onStage(options, async ({ place, startGateway }) => {
    const gateway = await startGateway();
    const client = new ApiClient(gateway.url, place.apiKey);
    const rows: Row[] = [];
    let loaded = 0;
    for (const size of options.quick ? SIZES.slice(0, 1) : SIZES) {
      await loadMemories(place, loaded, size);
      loaded = size;
      rows.push(...(await measureSize(place, client, size, options.quick)));
    }
    client.close();
    return rows;
  });

async function loadMemories(place: BenchPlace, from: number, to: number): Promise<void> {
  const rng = new SeededRng(from + 1);
  const startedMs = performance.now();
  await runClosedLoop(WRITERS, (to - from) / MEMORIES_PER_WRITE, async (write) => {
    const now = place.clock.now();
    const serial = from + write * MEMORIES_PER_WRITE;
    const contents = Array.from({ length: MEMORIES_PER_WRITE }, (_, index) => createSentence(rng, serial + index));
    const { vectors } = await embedder.embed(contents, { signal });
    const command = {
      userId: `user-${write % USERS}`,
      actor: 'bench',
      node: 'bench',
      changes: contents.map((content) => ({ kind: 'observe' as const, memory: createMemory(content, now) })),
      embeddings: new Map(
        contents.map((content, index) => [
          content,
          { model: embedder.model, contentHash: Buffer.from(hashText(content), 'hex'), vector: vectors[index]! },
        ]),
      ),
    };
    await place.database.inTenant(place.tenantId, (tx) => writeMemories(tx, command, { ...place, randomBytes }));
  });
  await place.superuser.query('VACUUM ANALYZE');
  const perSecond = Math.round((to - from) / ((performance.now() - startedMs) / 1_000));
  say(`wrote ${to - from} memories, ${perSecond}/s`);
}

function randomBytes(size: number): Buffer {
  return Buffer.from(readSystemRandomBytes(size));
}

type Side = 'bare' | 'storage' | 'http';

async function measureSize(place: BenchPlace, client: ApiClient, size: number, quick: boolean): Promise<Row[]> {
  const calls = createCalls(place, client);
  const alone = await takeTurns(calls, { callers: 1, rounds: quick ? 2 : 7, count: quick ? 30 : 60 });
  const crowded = await takeTurns(calls, { callers: 16, rounds: quick ? 1 : 3, count: quick ? 160 : 480 });
  const perUser = size / USERS;
  const label = `${size / 1_000}k memories, ${perUser} a user`;
  const [bare, storage, http] = [alone.bare.latency, alone.storage.latency, alone.http.latency];
  const atOnce = crowded.http.perSecond;
  const bareAtOnce = crowded.bare.perSecond;
  const row = (what: string, of: Summary): Row => ({
    id: 'T5',
    what: `${what}, ${label}: p50`,
    value: of.p50,
    unit: 'ms',
    raw: { what: 'bare exact SQL', value: bare.p50 },
    details: { ours: of, bare },
  });
  const limitMs = perUser >= 1_000 ? atMost(http.p50, 15, '<= 3x, <= 15 ms') : atMost(0, 0, '<= 3x');
  return [
    { ...row('searchMemories', storage), target: atMost(storage.p50, bare.p50 * 3, '<= 3x') },
    { ...row('HTTP memory.query', http), target: { ...limitMs, met: limitMs.met && http.p50 <= bare.p50 * 3 } },
    {
      id: 'T5',
      what: `HTTP memory.query, ${label}: p95`,
      value: http.p95,
      unit: 'ms',
      raw: { what: 'bare p95', value: bare.p95 },
      target: atMost(http.p95, http.p50 * 2, '<= 2x its p50'),
    },
    {
      id: 'T6',
      what: `HTTP memory.query, ${label}, 16 clients`,
      value: atOnce,
      unit: '/s',
      raw: { what: 'bare /s', value: bareAtOnce },
      target: atLeast(atOnce, Math.max(200, bareAtOnce / 3), '>= 200/s, >= 1/3'),
      details: { ours: crowded.http.latency, storage: crowded.storage.latency, bare: crowded.bare.latency },
    },
  ];
}

/** The same question put three ways, to users in turn. */
function createCalls(place: BenchPlace, client: ApiClient): Record<Side, () => Promise<unknown>> {
  const rng = new SeededRng(7);
  const next = async () => {
    const question = createQuestion(rng);
    const userId = `user-${Math.floor(rng.nextFloat() * USERS)}`;
    return { question, userId, vector: (await embedder.embed([question], { signal })).vectors[0]! };
  };
  return {
    bare: async () => {
      const { userId, vector } = await next();
      const values = [place.tenantId, userId, embedder.model, `[${vector.join(',')}]`];
      return place.superuser.query({ name: 'bare', text: BARE_SQL, values });
    },
    storage: async () => {
      const { userId, vector, question } = await next();
      return place.database.readTenant(place.tenantId, (tx) =>
        searchMemories(tx, {
          userId,
          queryVector: vector,
          model: embedder.model,
          terms: [...analyzeTerms(question).terms.keys()],
          filters: { user_id: userId },
          categories: null,
          types: null,
          asOf: null,
          knownAt: null,
          now: clock.now(),
          limit: CANDIDATES,
        }),
      );
    },
    http: async () => {
      const { userId, question } = await next();
      return client.post('/v1/memory/query', JSON.stringify({ query: question, filters: { user_id: userId } }));
    },
  };
}
