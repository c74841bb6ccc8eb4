import { type MemoryChange, readSystemRandomBytes, SeededRng } from '@annals/domain';
import { createEmbeddingProvider, hashText } from '@annals/llm-core';
import { findNeighbours, writeMemories } from '@annals/storage';
import { createMemory, createSentence } from '../data/memories.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { atMost, type Row } from '../frame/row.ts';
import { withDeployment } from '../frame/deployment.ts';
import type { Suite } from '../frame/suite.ts';
import { runInterleaved } from '../frame/run-interleaved.ts';

const USERS = 20;
const MEMORIES = 1_000;
const MEMORIES_PER_WRITE = 50;
/** Facts of a conversation, and the maximum number of edges of each. */
const FACTS = 6;
const EDGES_PER_FACT = 5;
const MAX_MS_PER_EDGE = 2;

const embedder = createEmbeddingProvider({ provider: 'hashed' });
const { signal } = new AbortController();

/**
 * Cost of an edge to a neighbour in the write path, and of the search for neighbours
 * (docs/reference/memory-model.md#relations-between-memories).
 */
export const benchEdges: Suite = ({ quick, ...options }) =>
  withDeployment({ quick, ...options }, async ({ environment }) => {
    const rng = new SeededRng(3);
    let serial = 0;
    const next = (count: number) => Array.from({ length: count }, () => createSentence(rng, (serial += 1)));
    const known = new Map<string, string[]>();
    for (let user = 0; user < USERS; user += 1) {
      const userId = `user-${user}`;
      const ids: string[] = [];
      for (let written = 0; written < MEMORIES; written += MEMORIES_PER_WRITE) {
        ids.push(...(await write(environment, userId, next(MEMORIES_PER_WRITE), [])));
      }
      known.set(userId, ids);
    }
    await environment.superuser.query('VACUUM ANALYZE');
    const userOf = (index: number) => `user-${index % USERS}`;
    const sides = {
      bare: (index: number) => write(environment, userOf(index), next(FACTS), []),
      linked: (index: number) => {
        const ids = known.get(userOf(index))!;
        const targets = Array.from({ length: FACTS * EDGES_PER_FACT }, (_, n) => ids[(index * 31 + n) % ids.length]!);
        return write(environment, userOf(index), next(FACTS), targets);
      },
      neighbours: async (index: number) => {
        const contents = next(FACTS);
        const { vectors } = await embedder.embed(contents, { signal });
        return environment.database.readTenant(environment.tenantId, (tx) =>
          findNeighbours(tx, {
            userId: userOf(index),
            model: embedder.model,
            vectors: new Map(contents.map((content, n) => [content, vectors[n]!])),
            limit: EDGES_PER_FACT,
            minCosine: embedder.profile.bands.link,
          }),
        );
      },
    };
    const rounds = { callers: 1, rounds: quick ? 2 : 7, count: quick ? 20 : 60 };
    const { bare, linked, neighbours } = await runInterleaved(sides, rounds);
    const perEdge = (linked.latency.p50 - bare.latency.p50) / (FACTS * EDGES_PER_FACT);
    const rows: Row[] = [
      {
        id: 'EDGE',
        what: `an edge in the write path, ${FACTS * EDGES_PER_FACT} edges per write`,
        value: perEdge,
        unit: 'ms',
        raw: { what: 'the write without edges', value: bare.latency.p50 },
        target: atMost(perEdge, MAX_MS_PER_EDGE, '<= 2 ms'),
        details: { bare: bare.latency, linked: linked.latency },
      },
      {
        id: 'EDGE',
        what: `neighbours of ${FACTS} statements among ${MEMORIES} memories`,
        value: neighbours.latency.p50,
        unit: 'ms',
        details: { neighbours: neighbours.latency },
      },
    ];
    return rows;
  });

/** Ids of the memories that now have the contents; each gets its share of edges to `targets`. */
async function write(
  environment: BenchEnvironment,
  userId: string,
  contents: readonly string[],
  targets: readonly string[],
): Promise<string[]> {
  const { vectors } = await embedder.embed(contents, { signal });
  const now = environment.clock.now();
  const result = await environment.database.inTenant(environment.tenantId, (tx) =>
    writeMemories(
      tx,
      {
        userId,
        actor: 'bench',
        node: 'bench',
        changes: contents.map((content): MemoryChange => ({ kind: 'observe', memory: createMemory(content, now) })),
        links: targets.map((toMemoryId, n) => ({
          from: n % contents.length,
          toMemoryId,
          relationType: 'related_to',
          strength: 0.7,
        })),
        embeddings: new Map(
          contents.map((content, n) => [
            content,
            { model: embedder.model, contentHash: Buffer.from(hashText(content), 'hex'), vector: vectors[n]! },
          ]),
        ),
      },
      { ...environment, randomBytes: (size) => Buffer.from(readSystemRandomBytes(size)) },
    ),
  );
  if (result.outcome !== 'applied') throw new Error(`The write ended with ${result.outcome}.`);
  return result.results.map(({ memoryId }) => memoryId);
}
