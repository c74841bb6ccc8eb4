import { extractionQueue } from '@annals/contracts';
import { SeededRng } from '@annals/domain';
import { createQueueBackend, type QueueBackend } from '@annals/messaging';
import { createLogger } from '@annals/observability';
import { createConversation } from '../data/conversations.ts';
import { acceptDirectly } from '../frame/accept-directly.ts';
import { ApiClient, runClosedLoop, runPaced } from '../frame/load.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { withDeployment } from '../frame/deployment.ts';
import { median, medianOfRounds, summarize, type Summary } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';

const USERS = 500;
const CLIENTS = [1, 16, 32];
/**
 * Ten times the rate of one mem0 process, a fifth of the target
 * (docs/reference/performance-targets.md#t2-rate-of-accepting-conversations).
 */
const STEADY_PER_SECOND = 200;
/**
 * Time in which mem0 2026 adds the same conversation with a model of 200 ms
 * (docs/reference/performance-targets.md#t1-latency-of-accepting-a-conversation).
 */
const MEM0_ADD_MS = 281;

/** `queue`, `insert`: the parts by themselves. `storage`: the same transaction without HTTP, auth and redaction. */
type Side = 'queue' | 'insert' | 'storage' | 'http';
const SIDES: readonly Side[] = ['queue', 'insert', 'storage', 'http'];
type Call = (index: number) => Promise<unknown>;

interface Measurement {
  readonly latency: Summary;
  readonly perSecond: number;
}

/**
 * Targets T1 and T2 (docs/reference/performance-targets.md#t1-latency-of-accepting-a-conversation,
 * docs/reference/performance-targets.md#t2-rate-of-accepting-conversations): accepting a conversation durably, before
 * any model.
 */
export const benchAccept: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway }) => {
    await environment.superuser.query('CREATE TABLE public.bare_inserts (id uuid PRIMARY KEY, body text NOT NULL)');
    const gateway = await startGateway();
    const client = new ApiClient(gateway.url, environment.apiKey);
    const logger = createLogger({ service: 'bench', level: 'warn', clock: environment.clock });
    const queue = { kind: 'redis', url: environment.redisUrl, prefix: `${environment.queuePrefix}_bare` } as const;
    const backend = await createQueueBackend(queue, { logger });
    const calls = createCalls(environment, client, backend);
    const rows: Row[] = [];
    for (const clients of CLIENTS) {
      const count = clients === 1 ? 150 : 1_200;
      rows.push(...(await measureClients(calls, gateway, clients, options.quick ? 150 : count, options.quick ? 2 : 5)));
    }
    rows.push(...(await measurePaced(calls, options.quick ? 1 : 5, options.quick ? 100 : 600)));
    client.close();
    await backend.openQueue(extractionQueue).bull.obliterate({ force: true });
    await backend.close();
    return rows;
  });

function createCalls(environment: BenchEnvironment, client: ApiClient, backend: QueueBackend): Record<Side, Call> {
  const queue = backend.openQueue(extractionQueue);
  const rng = new SeededRng(1);
  let serial = 0;
  const next = () => createConversation(rng, serial++, USERS);
  return {
    queue: () => {
      const payload = { tenantId: environment.tenantId, subjectId: environment.ids.next(), generation: 1 };
      return queue.addAll([{ payload, trace: null, priority: 1 }]);
    },
    insert: () =>
      environment.superuser.query({
        name: 'bare',
        text: 'INSERT INTO public.bare_inserts VALUES ($1, $2)',
        values: [environment.ids.next(), JSON.stringify(next())],
      }),
    storage: () => acceptDirectly(environment, next(), false),
    http: () => client.post('/v1/conversations', JSON.stringify(next())),
  };
}

async function measureClients(
  calls: Record<Side, Call>,
  gateway: ServiceProcess,
  clients: number,
  count: number,
  rounds: number,
): Promise<Row[]> {
  const all: Record<Side, { latency: Summary[]; perSecond: number[] }> = {
    queue: { latency: [], perSecond: [] },
    insert: { latency: [], perSecond: [] },
    storage: { latency: [], perSecond: [] },
    http: { latency: [], perSecond: [] },
  };
  const cpuMs: number[] = [];
  for (const side of SIDES) await runClosedLoop(clients, Math.max(100, count / 4), calls[side]);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of SIDES) {
      const before = await gateway.probe();
      const { samples, perSecond } = await runClosedLoop(clients, count, calls[side]);
      if (side === 'http') cpuMs.push(((await gateway.probe()).cpuMs - before.cpuMs) / count);
      all[side].latency.push(summarize(samples));
      all[side].perSecond.push(perSecond);
    }
  }
  const of = (side: Side): Measurement => ({
    latency: medianOfRounds(all[side].latency),
    perSecond: median(all[side].perSecond),
  });
  const sides = Object.fromEntries(SIDES.map((side) => [side, of(side)])) as unknown as Record<Side, Measurement>;
  return describe(sides, clients, median(cpuMs));
}

/** Latency below saturation: 16 clients with a constant total rate. */
async function measurePaced(calls: Record<Side, Call>, rounds: number, count: number): Promise<Row[]> {
  const http: Summary[] = [];
  const storage: Summary[] = [];
  for (let round = 0; round < rounds; round += 1) {
    storage.push(summarize(await runPaced(16, STEADY_PER_SECOND, count, calls.storage)));
    http.push(summarize(await runPaced(16, STEADY_PER_SECOND, count, calls.http)));
  }
  const [ours, bare] = [medianOfRounds(http), medianOfRounds(storage)];
  const label = `accept, 16 clients at ${STEADY_PER_SECOND}/s`;
  const raw = { what: 'its transaction', value: bare.p50 };
  const limitMs = Math.min(5, MEM0_ADD_MS / 20);
  return [
    { id: 'T1', what: `${label}: p50`, value: ours.p50, unit: 'ms', raw, target: atMost(ours.p50, limitMs, '<= 5 ms') },
    {
      id: 'T1',
      what: `${label}: p95`,
      value: ours.p95,
      unit: 'ms',
      raw: { what: 'its transaction p95', value: bare.p95 },
      target: atMost(ours.p95, 20, '<= 20 ms'),
      details: { http: ours, storage: bare },
    },
  ];
}

function describe({ queue, insert, storage, http }: Record<Side, Measurement>, clients: number, cpuMs: number): Row[] {
  const floorMs = queue.latency.p50 + insert.latency.p50;
  const raw = { what: 'queue add + insert', value: floorMs };
  const label = `${clients} ${clients === 1 ? 'client' : 'clients'}`;
  const { p50, p95, p99 } = http.latency;
  const atSixteen = clients === 16;
  const limitMs = Math.min(5, MEM0_ADD_MS / 20);
  return [
    {
      id: 'T1',
      what: `accept, ${label}: p50`,
      value: p50,
      unit: 'ms',
      raw,
      ...(atSixteen && { target: atMost(p50, limitMs, '<= 5 ms') }),
      details: { http, storage, insert, queue },
    },
    {
      id: 'T1',
      what: `accept, ${label}: p95`,
      value: p95,
      unit: 'ms',
      raw: { what: 'its transaction p95', value: storage.latency.p95 },
      ...(atSixteen && { target: atMost(p95, 20, '<= 20 ms') }),
    },
    {
      id: 'T1',
      what: `accept, ${label}: p99`,
      value: p99,
      unit: 'ms',
      raw: { what: 'its transaction p99', value: storage.latency.p99 },
    },
    {
      id: 'T2',
      what: `accepted, ${label}`,
      value: http.perSecond,
      unit: '/s',
      raw: { what: 'its transaction /s', value: storage.perSecond },
      ...(clients > 1 && { target: atLeast(http.perSecond, 1_000, '>= 1,000/s') }),
    },
    { id: 'T2', what: `gateway CPU per accept, ${label}`, value: cpuMs, unit: 'ms' },
  ];
}
