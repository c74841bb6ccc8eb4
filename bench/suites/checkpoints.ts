import { SeededRng } from '@annals/domain';
import { loadCheckpoint, saveCheckpoint } from '@annals/storage';
import { createMessage, MovingThread, type ThreadState } from '../data/thread-states.ts';
import { ApiClient } from '../frame/load.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import { log } from '../frame/log.ts';
import { withDeployment } from '../frame/deployment.ts';
import type { Suite } from '../frame/suite.ts';
import { type Measurement, runInterleaved } from '../frame/run-interleaved.ts';
import { openPostgresSaver, SavedThreads } from '../peers/langgraph.ts';

const SIZES = [10_000, 100_000];
const THREADS = 20;
const MESSAGES = 240;
const KEEP_VERSIONS = 50;
const USER = 'bench';
/**
 * Target T10 (docs/reference/performance-targets.md#t10-checkpoint-latency): maximum ms to load a state of this
 * size, and minimum loads per second of 16 clients.
 */
const MAX_LOAD_MS = { 10_000: 1, 100_000: 4 } as Record<number, number>;
const MIN_LOADS_PER_SECOND = 400;

const BARE_TABLE = `CREATE TABLE bare_checkpoints (tenant_id uuid, user_id text, thread_id text, data jsonb NOT NULL,
  updated_at timestamptz NOT NULL, PRIMARY KEY (tenant_id, user_id, thread_id))`;
const BARE_SAVE = `INSERT INTO bare_checkpoints VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (tenant_id, user_id, thread_id) DO UPDATE SET data = excluded.data, updated_at = excluded.updated_at`;
const BARE_LOAD = 'SELECT data FROM bare_checkpoints WHERE tenant_id = $1 AND user_id = $2 AND thread_id = $3';

/** One way to store states. */
interface Side {
  save(threadId: string, state: ThreadState): Promise<unknown>;
  load(threadId: string): Promise<unknown>;
}

type Sides = Record<'bare' | 'storage' | 'http', Side> & { langgraph?: Side };

/**
 * Targets T10 and T11 (docs/reference/performance-targets.md#t10-checkpoint-latency,
 * docs/reference/performance-targets.md#t11-stored-size-of-a-thread): checkpoints compared with a plain row per
 * thread, and with LangGraph's.
 */
export const benchCheckpoints: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway }) => {
    await environment.superuser.query(BARE_TABLE);
    const peer = await openPostgresSaver(adminUrl(environment));
    if (!peer) log('langgraph-checkpoint-postgres cannot be installed here, so it is skipped');
    const gateway = await startGateway();
    const client = new ApiClient(gateway.url, environment.apiKey);
    const langgraph = peer && new SavedThreads(peer.saver, () => environment.ids.next());
    const sides = createSides(environment, client, langgraph);
    try {
      const rows = await measureGrowth(environment, sides);
      for (const size of SIZES) rows.push(...(await measureSize(sides, size, options.quick)));
      return rows;
    } finally {
      client.close();
      await peer?.close();
    }
  });

function adminUrl({ superuser }: BenchEnvironment): string {
  return superuser.options.connectionString!;
}

function createSides(environment: BenchEnvironment, client: ApiClient, langgraph: SavedThreads | null): Sides {
  const { database, tenantId, superuser, clock } = environment;
  return {
    bare: {
      save: (threadId, state) =>
        superuser.query({
          name: 'bare-save',
          text: BARE_SAVE,
          values: [tenantId, USER, threadId, JSON.stringify(state), new Date(clock.now())],
        }),
      load: (threadId) => superuser.query({ name: 'bare-load', text: BARE_LOAD, values: [tenantId, USER, threadId] }),
    },
    storage: {
      save: (threadId, state) =>
        database.inTenant(tenantId, (tx) =>
          saveCheckpoint(tx, {
            userId: USER,
            threadId,
            state: Buffer.from(JSON.stringify(state)),
            expectedVersion: null,
            keepVersions: KEEP_VERSIONS,
            now: clock.now(),
          }),
        ),
      load: async (threadId) => {
        const loaded = await database.readTenantPipelined(tenantId, (tx) =>
          loadCheckpoint(tx, { userId: USER, threadId }),
        );
        return JSON.parse(loaded!.state.toString()) as unknown;
      },
    },
    http: {
      save: (threadId, state) =>
        client.put(`/v1/checkpoints/${USER}/http-${threadId}`, JSON.stringify({ data: state })),
      load: async (threadId) => JSON.parse(await client.get(`/v1/checkpoints/${USER}/http-${threadId}`)) as unknown,
    },
    ...(langgraph ? { langgraph } : {}),
  };
}

/**
 * Target T11 (docs/reference/performance-targets.md#t11-stored-size-of-a-thread): bytes on disk of a thread that was
 * saved after each of its messages, including dead rows.
 */
async function measureGrowth(environment: BenchEnvironment, { bare, storage, langgraph }: Sides): Promise<Row[]> {
  const rng = new SeededRng(3);
  const messages = Array.from({ length: MESSAGES }, (_, serial) => createMessage(rng, serial));
  const states = messages.map((_, index): ThreadState => ({ step: index + 1, messages: messages.slice(0, index + 1) }));
  const final = JSON.stringify(states.at(-1)).length;
  const measure = async (side: Side, tables: string) => {
    const before = await readSize(environment, tables);
    for (const state of states) await side.save('growing', state);
    return (await readSize(environment, tables)) - before;
  };
  const ours = await measure(storage, "relname IN ('checkpoints', 'checkpoint_versions')");
  const plain = await measure(bare, "relname = 'bare_checkpoints'");
  const theirs = langgraph && (await measure(langgraph, "relnamespace = to_regnamespace('langgraph')"));
  const row = (what: string, bytes: number): Row => ({
    id: 'T11',
    what: `${what}, bytes on disk: thread of ${MESSAGES} messages saved after each`,
    value: bytes / 1_000,
    unit: 'kB',
    raw: { what: 'its last state', value: final / 1_000 },
  });
  return [
    { ...row('checkpoints (50 versions served)', ours), target: atMost(ours, final * 5, '<= 5x') },
    row('plain INSERT … ON CONFLICT (1 version)', plain),
    ...(theirs === undefined ? [] : [row('LangGraph', theirs)]),
  ];
}

async function readSize({ superuser }: BenchEnvironment, tables: string): Promise<number> {
  const { rows } = await superuser.query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class WHERE relkind = 'r' AND ${tables}`,
  );
  return Number(rows[0]!.bytes);
}

async function measureSize(sides: Sides, size: number, quick: boolean): Promise<Row[]> {
  const rounds = quick ? 1 : 5;
  const count = quick ? 40 : 200;
  const threads = Array.from({ length: THREADS }, (_, seed) => new MovingThread(seed + 1, size));
  const nameOf = (index: number) => `thread-${size}-${index % THREADS}`;
  const mapSides = (work: (side: Side, index: number) => Promise<unknown>) =>
    Object.fromEntries(
      Object.entries(sides).map(([name, side]) => [name, (index: number) => work(side, index)]),
    ) as Record<keyof Sides, (index: number) => Promise<unknown>>;
  const saves = await runInterleaved(
    mapSides((side, index) => side.save(nameOf(index), threads[index % THREADS]!.next())),
    { callers: 1, rounds, count },
  );
  const load = mapSides((side, index) => side.load(nameOf(index)));
  const loads = await runInterleaved(load, { callers: 1, rounds, count });
  const crowded = await runInterleaved(load, { callers: 16, rounds: quick ? 1 : 3, count: count * 4 });
  return [...describeSaves(size, saves), ...describeLoads(size, loads, crowded)];
}

type Results = Record<keyof Sides, Measurement>;

function describeSaves(size: number, results: Results): Row[] {
  const { bare, langgraph, storage, http } = results;
  const peer = langgraph as Measurement | undefined;
  const row = (what: string, measured: Measurement): Row[] =>
    (['p50', 'p99'] as const).map((key) => ({
      id: 'T10',
      what: `save ${size / 1_000} kB, ${what}: ${key}`,
      value: measured.latency[key],
      unit: 'ms',
      raw: { what: `plain INSERT … ON CONFLICT ${key}`, value: bare.latency[key] },
      details: measured.latency as unknown as Record<string, unknown>,
    }));
  const [p50, ...rest] = row('saveCheckpoint', storage);
  const target = peer && { target: atMost(storage.latency.p50, peer.latency.p50, '<= LangGraph') };
  return [{ ...p50!, ...target }, ...rest, ...row('HTTP', http), ...(peer ? row('LangGraph', peer) : [])];
}

function describeLoads(size: number, results: Results, crowded: Results): Row[] {
  const { bare, langgraph, storage, http } = results;
  const peer = langgraph as Measurement | undefined;
  const row = (what: string, measured: Measurement): Row[] =>
    (['p50', 'p99'] as const).map((key) => ({
      id: 'T10',
      what: `load ${size / 1_000} kB, ${what}: ${key}`,
      value: measured.latency[key],
      unit: 'ms',
      raw: { what: `plain SELECT ${key}`, value: bare.latency[key] },
      details: measured.latency as unknown as Record<string, unknown>,
    }));
  const [p50, ...rest] = row('loadCheckpoint', storage);
  const limitMs = Math.min(bare.latency.p50 * 3, MAX_LOAD_MS[size]!);
  const atOnce = (what: string, { perSecond }: Measurement): Row => ({
    id: 'T10',
    what: `load ${size / 1_000} kB, ${what}, 16 clients`,
    value: perSecond,
    unit: '/s',
    raw: { what: 'plain SELECT /s', value: crowded.bare.perSecond },
    target: atLeast(perSecond, MIN_LOADS_PER_SECOND, `>= ${MIN_LOADS_PER_SECOND}/s`),
  });
  return [
    { ...p50!, target: atMost(storage.latency.p50, limitMs, `<= 3x, <= ${MAX_LOAD_MS[size]} ms`) },
    ...rest,
    ...row('HTTP', http),
    ...(peer ? row('LangGraph', peer) : []),
    atOnce('loadCheckpoint', crowded.storage),
    atOnce('HTTP', crowded.http),
  ];
}
