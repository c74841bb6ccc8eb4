import { SeededRng } from '@annals/domain';
import { AnnalsSaver } from '@annals/langgraph';
import pg from 'pg';
import { createMessage, MovingThread } from '../data/thread-states.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { withDeployment } from '../frame/deployment.ts';
import { log } from '../frame/log.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import { type Measurement, runInterleaved } from '../frame/run-interleaved.ts';
import type { Suite } from '../frame/suite.ts';
import { openPostgresSaver, type Saver, SavedThreads } from '../peers/langgraph.ts';

const SIZES = [10_000, 100_000];
const CALLERS = [1, 16];
const THREADS = 32;
const MESSAGES = 240;
/** Pages that are not full weigh less than with one thread. */
const GROWING_THREADS = 10;

/** Ours over HTTP, ours with saves that go to PostgreSQL directly, and LangGraph's own on the same PostgreSQL. */
type Sides = Readonly<Record<'annals' | 'direct' | 'postgres', SavedThreads>>;

const NAMES = {
  annals: '@annals/langgraph',
  direct: '@annals/langgraph with the option postgres',
  postgres: 'langgraph-checkpoint-postgres',
} as const satisfies Record<keyof Sides, string>;
const OURS = ['annals', 'direct'] as const;

/**
 * The checkpoint saver for LangGraph beside LangGraph's own (docs/reference/langgraph.md#cost): saving and loading with
 * one and 16 callers, and bytes on disk of a thread that was saved after each of its messages.
 */
export const benchLangGraph: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway }) => {
    const peer = await openPostgresSaver(environment.superuser.options.connectionString!);
    if (!peer) {
      log('langgraph-checkpoint-postgres cannot be installed here, so there is nothing to compare with');
      return [];
    }
    const gateway = await startGateway();
    const connection = { baseUrl: gateway.url, apiKey: environment.apiKey };
    const login = await openLogin(environment);
    const threadsOf = (saver: Saver, prefix?: string) => new SavedThreads(saver, () => environment.ids.next(), prefix);
    const sides = {
      annals: threadsOf(new AnnalsSaver(connection)),
      direct: threadsOf(new AnnalsSaver(connection, { postgres: login }), 'direct-'),
      postgres: threadsOf(peer.saver),
    };
    try {
      const rows = await measureGrowth(environment, sides);
      for (const size of SIZES) rows.push(...(await measureSize(sides, size, options.quick)));
      return rows;
    } finally {
      await Promise.all([peer.close(), login.end()]);
      await dropLogin(environment);
    }
  });

const LOGIN = 'annals_bench_graphs';

/** A login that may save checkpoints of the tenant (docs/reference/langgraph.md#saving-directly). */
async function openLogin({ superuser, tenantId, ids }: BenchEnvironment): Promise<pg.Pool> {
  const password = ids.next();
  await superuser.query(`DROP ROLE IF EXISTS ${LOGIN}; CREATE ROLE ${LOGIN} LOGIN PASSWORD '${password}';
                         GRANT USAGE ON SCHEMA annals TO ${LOGIN}`);
  await superuser.query(
    'SELECT annals.add_langgraph_login($1, (SELECT name FROM annals.tenants WHERE tenant_id = $2))',
    [LOGIN, tenantId],
  );
  const url = new URL(superuser.options.connectionString!);
  Object.assign(url, { username: LOGIN, password });
  return new pg.Pool({ connectionString: url.href });
}

async function dropLogin({ superuser }: BenchEnvironment): Promise<void> {
  await superuser.query(`DROP OWNED BY ${LOGIN}; DROP ROLE ${LOGIN}`);
}

async function measureGrowth({ superuser }: BenchEnvironment, sides: Sides): Promise<Row[]> {
  const rng = new SeededRng(3);
  const messages = Array.from({ length: MESSAGES }, (_, serial) => createMessage(rng, serial));
  const finalBytes = JSON.stringify(messages).length;
  const readSize = async (tables: string): Promise<number> => {
    const { rows } = await superuser.query<{ bytes: string }>(
      `SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class WHERE relkind = 'r' AND ${tables}`,
    );
    return Number(rows[0]!.bytes);
  };
  const measure = async (side: SavedThreads, tables: string): Promise<number> => {
    const before = await readSize(tables);
    const grow = async (threadId: string) => {
      for (const [index, message] of messages.entries()) {
        await side.save(threadId, { step: index + 1, messages: messages.slice(0, index + 1) });
        await side.saveWrite(threadId, [message]);
      }
    };
    await Promise.all(Array.from({ length: GROWING_THREADS }, (_, thread) => grow(`growing-${thread}`)));
    return ((await readSize(tables)) - before) / GROWING_THREADS;
  };
  const tables = "relname LIKE 'langgraph\\_%' AND relnamespace = 'annals'::regnamespace";
  const annals = await measure(sides.annals, tables);
  const direct = await measure(sides.direct, tables);
  const postgres = await measure(sides.postgres, "relnamespace = to_regnamespace('langgraph')");
  const row = (what: string, bytes: number): Row => ({
    id: 'L1',
    what: `${what}, bytes on disk: thread of ${MESSAGES} messages (of ${GROWING_THREADS}), a checkpoint and a write for each`,
    value: bytes / 1_000,
    unit: 'kB',
    raw: { what: 'its last state', value: finalBytes / 1_000 },
  });
  return [
    { ...row(NAMES.annals, annals), target: atMost(annals, finalBytes * 5, '<= 5x') },
    { ...row(NAMES.direct, direct), target: atMost(direct, finalBytes * 5, '<= 5x') },
    row(NAMES.postgres, postgres),
  ];
}

async function measureSize(sides: Sides, size: number, quick: boolean): Promise<Row[]> {
  const moving = Array.from({ length: THREADS }, (_, seed) => new MovingThread(seed + 1, size));
  const nameOf = (index: number) => `thread-${size}-${index % THREADS}`;
  const rows: Row[] = [];
  for (const callers of CALLERS) {
    const options = { callers, rounds: quick ? 1 : 5, count: quick ? 64 : callers === 1 ? 320 : 960 };
    const each = (work: (side: SavedThreads, index: number) => Promise<unknown>) =>
      runInterleaved(
        {
          annals: (index: number) => work(sides.annals, index),
          direct: (index: number) => work(sides.direct, index),
          postgres: (index: number) => work(sides.postgres, index),
        },
        options,
      );
    const saves = await each((side, index) => side.save(nameOf(index), moving[index % THREADS]!.next()));
    const loads = await each((side, index) => side.load(nameOf(index)));
    const writes = await each((side, index) => side.saveWrite(nameOf(index), 'x'.repeat(size / 20)));
    const where = `${size / 1_000} kB, ${callers} ${callers === 1 ? 'caller' : 'callers'}`;
    rows.push(
      ...compare(`save ${where}`, saves),
      ...compare(`load ${where}`, loads),
      ...compare(`save a write of ${size / 20_000} kB, ${callers} ${callers === 1 ? 'caller' : 'callers'}`, writes),
    );
  }
  return rows;
}

function compare(what: string, measured: Record<keyof Sides, Measurement>): Row[] {
  return OURS.flatMap((side) => compareOne(`${what}, ${NAMES[side]}`, measured[side], measured.postgres));
}

function compareOne(what: string, ours: Measurement, postgres: Measurement): Row[] {
  const latency = (key: 'p50' | 'p99'): Row => ({
    id: 'L2',
    what: `${what}: ${key}`,
    value: ours.latency[key],
    unit: 'ms',
    raw: { what: `${NAMES.postgres} ${key}`, value: postgres.latency[key] },
  });
  return [
    {
      ...latency('p50'),
      target: atMost(ours.latency.p50, postgres.latency.p50, '<= its'),
      details: { ours: ours.latency, postgres: postgres.latency },
    },
    latency('p99'),
    {
      id: 'L2',
      what: `${what}, in all`,
      value: ours.perSecond,
      unit: '/s',
      raw: { what: `${NAMES.postgres} /s`, value: postgres.perSecond },
      target: atLeast(ours.perSecond, postgres.perSecond, '>= its'),
    },
  ];
}
