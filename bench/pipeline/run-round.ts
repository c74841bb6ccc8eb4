import { CLIENTS } from '../data/pipeline-load.ts';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { runClosedLoop } from '../frame/load.ts';
import { log } from '../frame/log.ts';
import type { ServerCpuMeter } from '../frame/server-cpu.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { waitForBatches } from '../frame/wait-for-batches.ts';
import type { ProbeReport } from '../processes/probe.ts';
import { type MeasuredSpan, readProfileClock } from '../profiling/measured-spans.ts';

export const SERVICES = ['gateway', 'extraction', 'persistence'] as const;
type ServiceName = (typeof SERVICES)[number];

/** The processes of each service, and the load. */
export interface Pipeline extends Readonly<Record<ServiceName, readonly ServiceProcess[]>> {
  readonly environment: BenchEnvironment;
  readonly serverCpu: ServerCpuMeter;
  /** Posts the next conversation. */
  post(): Promise<unknown>;
}

/** Of a conversation, under load. */
export interface RoundResult {
  readonly perSecond: number;
  readonly cpuMs: Readonly<Record<ServiceName, number>>;
  readonly postgresMs: number | undefined;
  readonly valkeyMs: number;
  readonly sql: Readonly<Record<ServiceName, ProbeReport['sql']>>;
  /** Of each process. */
  readonly spans: readonly MeasuredSpan[];
}

/** Posts `count` conversations and waits for the memories of all of them. */
export async function runRound(pipeline: Pipeline, count: number): Promise<RoundResult> {
  const before = await readAll(pipeline);
  const startedAt = performance.timeOrigin + performance.now();
  await runClosedLoop(CLIENTS, count, pipeline.post);
  await waitForBatches(pipeline.environment, 'done');
  const after = await readAll(pipeline);
  const jobs = after.reports.persistence.flatMap((report) => report.jobs);
  const perSecond = count / ((Math.max(...jobs.map(({ endedAt }) => endedAt)) - startedAt) / 1_000);
  const cpuMs = (name: ServiceName) => sumGrowth(before, after, name, (report) => report.cpuMs) / count;
  const sql = (name: ServiceName) => {
    const figure = (key: keyof ProbeReport['sql']) =>
      sumGrowth(before, after, name, (report) => report.sql[key]) / count;
    return {
      transactions: figure('transactions'),
      memoryTransactions: figure('memoryTransactions'),
      statements: figure('statements'),
      roundTrips: figure('roundTrips'),
      calls: figure('calls'),
    };
  };
  const { postgresMs } = after.servers;
  const result: RoundResult = {
    perSecond,
    cpuMs: { gateway: cpuMs('gateway'), extraction: cpuMs('extraction'), persistence: cpuMs('persistence') },
    postgresMs: postgresMs === undefined ? undefined : (postgresMs - before.servers.postgresMs!) / count,
    valkeyMs: (after.servers.valkeyMs - before.servers.valkeyMs) / count,
    sql: { gateway: sql('gateway'), extraction: sql('extraction'), persistence: sql('persistence') },
    spans: SERVICES.flatMap((name) => describeSpans(pipeline, { before, after, name, count })),
  };
  log(`pipeline: ${Math.round(perSecond)} conversations/s, ${sumCpu(result).toFixed(2)} ms of CPU each`);
  return result;
}

/** CPU of the three services a conversation, in ms. */
export function sumCpu({ cpuMs }: Pick<RoundResult, 'cpuMs'>): number {
  return SERVICES.reduce((sum, name) => sum + cpuMs[name], 0);
}

/** What all processes and servers say at a time. */
interface Reading {
  readonly atUs: number;
  readonly reports: Readonly<Record<ServiceName, readonly ProbeReport[]>>;
  readonly servers: Awaited<ReturnType<ServerCpuMeter['read']>>;
}

async function readAll(pipeline: Pipeline): Promise<Reading> {
  const probe = (name: ServiceName) => Promise.all(pipeline[name].map((running) => running.probe()));
  const reports = {
    gateway: await probe('gateway'),
    extraction: await probe('extraction'),
    persistence: await probe('persistence'),
  };
  return { reports, servers: await pipeline.serverCpu.read(), atUs: readProfileClock() };
}

/** The growth of a figure, of all processes of a service. */
function sumGrowth(
  before: Reading,
  after: Reading,
  name: ServiceName,
  figure: (report: ProbeReport) => number,
): number {
  const sum = ({ reports }: Reading) => reports[name].reduce((total, report) => total + figure(report), 0);
  return sum(after) - sum(before);
}

function describeSpans(
  pipeline: Pipeline,
  measured: { readonly before: Reading; readonly after: Reading; readonly name: ServiceName; readonly count: number },
): MeasuredSpan[] {
  const { before, after, name, count } = measured;
  return pipeline[name].map(({ profile }, index) => ({
    profile,
    conversations: count,
    cpuMs: after.reports[name][index]!.cpuMs - before.reports[name][index]!.cpuMs,
    fromUs: before.atUs,
    toUs: after.atUs,
  }));
}
