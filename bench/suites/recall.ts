import { ApiClient } from '../frame/load.ts';
import { type BenchEnvironment, openBenchEnvironment, type Servers } from '../frame/bench-environment.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import { withDeployment } from '../frame/deployment.ts';
import type { Summary } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';
import { type Measurement, runInterleaved } from '../frame/run-interleaved.ts';
import { StoreLoader } from '../recall/load-store.ts';
import { countMemories, FULL, QUICK, type Stage, userOf } from '../recall/population.ts';
import { ask, createQuestions, find, measureNeighbours, type Question, scanPlainly } from '../recall/questions.ts';
import { createSentences, type Sentence } from '../recall/sentences.ts';

interface Size {
  readonly group: string;
  readonly memories: number;
  /** Maximum time of candidates, as a multiple of the plain scan. */
  readonly limit?: number;
}

/** Limits from measurements on shared machines; they replace the factor of T5. */
const SIZES: readonly Size[] = [
  { group: 'hundred', memories: 100 },
  { group: 'thousand', memories: 1_000, limit: 2 },
  { group: 'ten-thousand', memories: 10_000, limit: 0.5 },
];
const QUESTIONS = 200;
const NEIGHBOUR_QUERIES = 50;
const NEIGHBOURS_LIMIT = 0.99;
const GROWTH_LIMIT = 1.2;

/**
 * Targets T5 to T7 (docs/reference/performance-targets.md): `memory.query` and its candidates compared with the
 * plain scan of the same user's vectors, and as the store grows.
 */
export const benchRecall: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway }) => {
    const { quick, servers } = options;
    const stages = quick ? QUICK : FULL;
    const sentences = await createSentences(quick ? 10_000 : 50_000, environment.clock.now());
    const smaller = await loadSmaller(servers, stages, sentences);
    try {
      await load(environment, stages, sentences);
      const gateway = await startGateway();
      const client = new ApiClient(gateway.url, environment.apiKey);
      const rows: Row[] = [];
      for (const size of SIZES) {
        const group = stages.flatMap(({ groups }) => groups).find(({ name }) => name === size.group);
        if (group === undefined) continue;
        const userIds = Array.from({ length: group.users }, (_, index) => userOf(group.name, index));
        const questions = await createQuestions(userIds, QUESTIONS);
        rows.push(...(await measureSize(environment, client, size, questions, quick)));
      }
      client.close();
      rows.push(...(await measureGrowth([...smaller, environment], stages, quick)));
      return rows;
    } finally {
      for (const small of smaller) await small.close();
    }
  });

/** Stores with only the first stages, each in a database of its own, so that all sizes can be interleaved. */
async function loadSmaller(servers: Servers, stages: readonly Stage[], sentences: readonly Sentence[]) {
  const environments: BenchEnvironment[] = [];
  for (let count = 1; count < stages.length; count += 1) {
    const environment = await openBenchEnvironment(servers);
    environments.push(environment);
    await load(environment, stages.slice(0, count), sentences);
  }
  return environments;
}

async function load(
  environment: BenchEnvironment,
  stages: readonly Stage[],
  sentences: readonly Sentence[],
): Promise<void> {
  const loader = new StoreLoader(environment, sentences);
  await loader.open();
  for (const stage of stages) await loader.add(stage);
}

type Side = 'plain' | 'candidates' | 'query';

async function measureSize(
  environment: BenchEnvironment,
  client: ApiClient,
  size: Size,
  questions: readonly Question[],
  quick: boolean,
): Promise<Row[]> {
  const at = (index: number) => questions[index % questions.length]!;
  const sides: Record<Side, (index: number) => Promise<unknown>> = {
    plain: (index) => scanPlainly(environment, at(index)),
    candidates: (index) => find(environment, at(index)),
    query: (index) => ask(client, at(index)),
  };
  const share = await measureNeighbours(environment, questions.slice(0, NEIGHBOUR_QUERIES));
  const alone = await runInterleaved(sides, { callers: 1, rounds: quick ? 2 : 5, count: quick ? 30 : 60 });
  const crowded = await runInterleaved(sides, { callers: 16, rounds: quick ? 1 : 3, count: 160 });
  return [
    ...describe(size, 1, alone),
    ...describe(size, 16, crowded),
    {
      id: 'T7',
      what: `exact neighbours found, ${size.memories} memories`,
      value: share,
      unit: '',
      target: atLeast(share, NEIGHBOURS_LIMIT, '>= 0.99'),
    },
  ];
}

const PERCENTILES = ['p50', 'p95', 'p99'] as const;

function describe({ memories, limit }: Size, callers: number, measured: Record<Side, Measurement>): Row[] {
  const plain = measured.plain.latency;
  const rowsOf = (name: string, of: Summary): Row[] =>
    PERCENTILES.map((percentile) => ({
      id: 'T5',
      what: `${name}, ${memories} memories, ${callers} at once: ${percentile}`,
      value: of[percentile],
      unit: 'ms',
      raw: { what: `plain ${percentile}`, value: plain[percentile] },
    }));
  const candidates = rowsOf('candidates', measured.candidates.latency);
  const hasTarget = limit !== undefined;
  return [
    ...candidates.map((row, index) =>
      hasTarget && index === 0 ? { ...row, target: atMost(row.value, plain.p50 * limit, `<= ${limit}x`) } : row,
    ),
    ...rowsOf('memory.query', measured.query.latency),
    {
      id: 'T6',
      what: `memory.query, ${memories} memories, ${callers} concurrent`,
      value: measured.query.perSecond,
      unit: '/s',
      raw: { what: 'plain /s', value: measured.plain.perSecond },
      ...(callers > 1 && memories === 1_000 ? { target: atLeast(measured.query.perSecond, 200, '>= 200/s') } : {}),
    },
  ];
}

/** Queries of the same user in stores of several sizes, interleaved: only the memories of other users differ. */
async function measureGrowth(
  environments: readonly BenchEnvironment[],
  stages: readonly Stage[],
  quick: boolean,
): Promise<Row[]> {
  const questions = await createQuestions([userOf('first', 0)], QUESTIONS);
  const names = stages.map((_, index) => `${index}`);
  const sides = Object.fromEntries(
    names.map((name, index) => [name, (call: number) => find(environments[index]!, questions[call % QUESTIONS]!)]),
  );
  const measured = await runInterleaved(sides, { callers: 1, rounds: quick ? 2 : 7, count: quick ? 30 : 60 });
  const first = measured['0']!.latency.p50;
  return names.slice(1).map((name, index) => {
    const value = measured[name]!.latency.p50;
    const total = (count: number) => stages.slice(0, count).reduce((sum, stage) => sum + countMemories(stage), 0);
    return {
      id: 'T5',
      what: `candidates of one user with 1000 among ${total(index + 2)} memories: p50`,
      value,
      unit: 'ms',
      raw: { what: `among ${total(1)}`, value: first },
      target: atMost(value, first * GROWTH_LIMIT, `<= ${GROWTH_LIMIT}x`),
      details: { at: measured[name]!.latency, first: measured['0']!.latency },
    };
  });
}
