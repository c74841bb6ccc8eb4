import { SeededRng } from '@annals/domain';
import { buildExtractionPrompt, createEmbeddingProvider } from '@annals/llm-core';
import { LocalProvider } from '@annals/local-provider';
import { createConversation, FACTS } from '../data/conversations.ts';
import { createSentence } from '../data/memories.ts';
import { CONCURRENCY, createSeeder, drain, type DrainResult, USERS } from '../frame/drain.ts';
import { runClosedLoop } from '../frame/load.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import { withDeployment } from '../frame/deployment.ts';
import { median, summarize } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';

const MODEL_MS = 200;

/**
 * Targets T3 and T4 (docs/reference/performance-targets.md#t3-overhead-of-an-extraction-job,
 * docs/reference/performance-targets.md#t4-model-calls-and-tokens-of-a-job): the overhead of a job besides its model,
 * in one worker process that drains a backlog.
 */
export const benchJobs: Suite = (options) =>
  withDeployment(options, async (deployment) => {
    const jobs = options.quick ? 200 : 800;
    const rounds = options.quick ? 1 : 3;
    const fast: DrainResult[] = [];
    const slow: DrainResult[] = [];
    const persisted: DrainResult[] = [];
    const bareMs: number[] = [];
    const seed = createSeeder(deployment.environment);
    await createBareTables(deployment.environment);
    for (let round = 0; round < rounds; round += 1) {
      await seed(jobs);
      fast.push(await drain(deployment, 'extraction', jobs));
      persisted.push(await drain(deployment, 'persistence', jobs));
      bareMs.push(...(await measureBareWrites(deployment.environment, 60)));
      await seed(jobs);
      slow.push(await drain(deployment, 'extraction', jobs, { model: { kind: 'remote', delayMs: MODEL_MS } }));
      await drain(deployment, 'persistence', jobs);
    }
    return [
      ...describeExtraction(fast, slow),
      ...describePersistence(persisted, summarize(bareMs).p50),
      ...(await measureLocalModels()),
    ];
  });

function describeExtraction(fast: readonly DrainResult[], slow: readonly DrainResult[]): Row[] {
  const runMs = summarize(slow.flatMap((drained) => drained.runMs)).p50;
  const modelMs = summarize(slow.flatMap((drained) => drained.providerMs)).p50;
  const overheadMs = runMs - modelMs;
  const limit = CONCURRENCY / (MODEL_MS / 1_000);
  const slowPerSecond = median(slow.map(({ jobsPerSecond }) => jobsPerSecond));
  return [
    {
      id: 'T3',
      what: `extraction job, less the ${MODEL_MS} ms of its model: p50`,
      value: overheadMs,
      unit: 'ms',
      target: atMost(overheadMs, 25, '<= 25 ms'),
    },
    {
      id: 'T3',
      what: `extraction jobs with a ${MODEL_MS} ms model, ${CONCURRENCY} at a time`,
      value: slowPerSecond,
      unit: '/s',
      raw: { what: 'concurrency / model time', value: limit },
      target: atLeast(slowPerSecond, limit * 0.8, '>= 80 %'),
    },
    ...describeWorker('extraction', fast, 1),
  ];
}

function describePersistence(persisted: readonly DrainResult[], bareMs: number): Row[] {
  const runMs = summarize(persisted.flatMap((drained) => drained.runMs)).p50;
  return [
    ...describeWorker('persistence', persisted, 1),
    {
      id: 'T3',
      what: `persistence job of ${FACTS} memories, ${CONCURRENCY} at a time: p50`,
      value: runMs,
      unit: 'ms',
      raw: { what: 'bare insert of its rows, alone', value: bareMs },
    },
  ];
}

function describeWorker(
  name: 'extraction' | 'persistence',
  drained: readonly DrainResult[],
  memoryWrites: number,
): Row[] {
  const perSecond = median(drained.map(({ jobsPerSecond }) => jobsPerSecond));
  const cpuMs = median(drained.map(({ cpuMsPerJob }) => cpuMsPerJob));
  const sql = (key: keyof DrainResult['sqlPerJob']) => median(drained.map(({ sqlPerJob }) => sqlPerJob[key]));
  const writes = sql('memoryTransactions');
  return [
    {
      id: 'T3',
      what: `${name} jobs of one process`,
      value: perSecond,
      unit: '/s',
      target: atLeast(perSecond, 60, '>= 60/s'),
    },
    { id: 'T3', what: `${name} CPU a job`, value: cpuMs, unit: 'ms', target: atMost(cpuMs, 15, '<= 15 ms') },
    { id: 'T4', what: `${name} statements a job, BEGIN and COMMIT included`, value: sql('statements'), unit: '' },
    { id: 'T4', what: `${name} round trips a job`, value: sql('roundTrips'), unit: '' },
    { id: 'T4', what: `${name} transactions a job (claim; result)`, value: sql('transactions'), unit: '' },
    ...(name === 'persistence'
      ? [
          {
            id: 'T4',
            what: 'persistence transactions that write memories, per job',
            value: writes,
            unit: '',
            // Fewer where jobs share one.
            target: atMost(writes, memoryWrites + 0.01, `<= ${memoryWrites}`),
          },
        ]
      : []),
    { id: 'T4', what: `${name} calls of relay, sweep and health, a job`, value: sql('calls'), unit: '' },
  ];
}

async function createBareTables(environment: BenchEnvironment): Promise<void> {
  await environment.superuser.query(
    `CREATE TABLE public.bare_memories (id uuid PRIMARY KEY, content text, hash text UNIQUE, embedding vector(384));
     CREATE TABLE public.bare_history (id uuid PRIMARY KEY, content text)`,
  );
}

/** The minimum of a persistence job, as the baseline: its rows in one transaction of bare inserts. */
async function measureBareWrites({ superuser, ids }: BenchEnvironment, count: number): Promise<number[]> {
  const rng = new SeededRng(5);
  const client = await superuser.connect();
  try {
    const { samples } = await runClosedLoop(1, count, async () => {
      const keys = Array.from({ length: FACTS }, () => ids.next());
      const contents = keys.map((key) => `${createSentence(rng, 0)} ${key}`);
      const vectors = keys.map(() => `[${Array.from({ length: 384 }, () => rng.nextFloat().toFixed(6)).join(',')}]`);
      await client.query('BEGIN');
      await client.query({
        name: 'bare_memories',
        text: `INSERT INTO public.bare_memories
          SELECT id, content, id::text, embedding::vector FROM unnest($1::uuid[], $2::text[], $3::text[]) AS t (id, content, embedding)`,
        values: [keys, contents, vectors],
      });
      await client.query({
        name: 'bare_history',
        text: 'INSERT INTO public.bare_history SELECT * FROM unnest($1::uuid[], $2::text[])',
        values: [keys, contents],
      });
      await client.query('COMMIT');
    });
    return samples;
  } finally {
    client.release();
  }
}

/** CPU of the models inside the process, measured without jobs. */
async function measureLocalModels(): Promise<Row[]> {
  const provider = new LocalProvider();
  const prompt = buildExtractionPrompt({ excerpt: { messages: [], context: [] } });
  const embedder = createEmbeddingProvider({ provider: 'hashed' });
  const { signal } = new AbortController();
  const rng = new SeededRng(9);
  let serial = 0;
  const extract = () => {
    const { messages } = createConversation(rng, serial++, USERS);
    const turns = messages.map(({ id, role, content }) => ({ id: id!, role, content, actorId: null, createdAt: 0 }));
    const said = turns.filter(({ role }) => role === 'user');
    return provider.send({
      requestId: `${serial}`,
      task: 'extract_memories',
      conversation: { messages: said, context: turns.filter(({ role }) => role !== 'user') },
      prompt,
      maxOutputTokens: 4_096,
      signal,
    });
  };
  const embed = () =>
    embedder.embed(
      Array.from({ length: FACTS }, () => createSentence(rng, serial++)),
      { signal },
    );
  return [
    { id: 'T3', what: 'local model, CPU per conversation', value: await measureCpuMs(extract), unit: 'ms' },
    { id: 'T3', what: `hashed embeddings, CPU for ${FACTS} memories`, value: await measureCpuMs(embed), unit: 'ms' },
  ];
}

async function measureCpuMs(work: () => Promise<unknown>): Promise<number> {
  const [warmUps, count] = [50, 200];
  await runClosedLoop(1, warmUps, work);
  const before = process.cpuUsage();
  await runClosedLoop(1, count, work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / count;
}
