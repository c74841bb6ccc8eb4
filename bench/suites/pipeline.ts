import { SeededRng } from '@annals/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConversation } from '../data/conversations.ts';
import { ApiClient, runClosedLoop } from '../frame/load.ts';
import { atLeast, atMost, type Row } from '../frame/row.ts';
import { log } from '../frame/log.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { withDeployment, type BenchDeployment } from '../frame/deployment.ts';
import { median, summarize } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';
import { waitForBatches } from '../frame/wait-for-batches.ts';
import { benchQueueShare } from '../messaging/queue-share.ts';

const USERS = 200;
const CLIENTS = 16;
const CONCURRENCY = 16;
const POLL_MS = 2;

interface Pipeline {
  readonly gateway: ServiceProcess;
  readonly extraction: ServiceProcess;
  readonly persistence: ServiceProcess;
}

/** The whole pipeline, from a post to its memories, with a model without delay: one process of each service. */
export const benchPipeline: Suite = (options) =>
  withDeployment(options, async (deployment) => {
    const pipeline: Pipeline = {
      gateway: await deployment.startGateway(),
      extraction: await deployment.startWorker('extraction', { concurrency: CONCURRENCY }),
      persistence: await deployment.startWorker('persistence', { concurrency: CONCURRENCY }),
    };
    const client = new ApiClient(pipeline.gateway.url, deployment.environment.apiKey);
    const rng = new SeededRng(11);
    let serial = 0;
    const post = () =>
      client.post('/v1/conversations', JSON.stringify({ ...createConversation(rng, serial++, USERS), flush: true }));
    await runPipeline(deployment, pipeline, post, 100);
    const rounds: PipelineResult[] = [];
    for (let round = 0; round < (options.quick ? 1 : 3); round += 1) {
      rounds.push(await runPipeline(deployment, pipeline, post, options.quick ? 200 : 800));
    }
    const rows = [...describePipeline(rounds), ...(await measureIdle(pipeline, post, options.quick ? 20 : 100))];
    client.close();
    return rows;
  });

interface PipelineResult {
  readonly perSecond: number;
  readonly cpuMs: Readonly<Record<keyof Pipeline, number>>;
}

async function runPipeline(
  { environment }: BenchDeployment,
  pipeline: Pipeline,
  post: () => Promise<unknown>,
  count: number,
): Promise<PipelineResult> {
  const before = await probeAll(pipeline);
  const startedAt = performance.timeOrigin + performance.now();
  await runClosedLoop(CLIENTS, count, post);
  await waitForBatches(environment, 'done');
  const after = await probeAll(pipeline);
  const endedAt = Math.max(...after.persistence.jobs.map((job) => job.endedAt));
  const perSecond = count / ((endedAt - startedAt) / 1_000);
  log(`pipeline: ${Math.round(perSecond)} conversations/s`);
  const cpuOf = (name: keyof Pipeline) => (after[name].cpuMs - before[name].cpuMs) / count;
  return {
    perSecond,
    cpuMs: { gateway: cpuOf('gateway'), extraction: cpuOf('extraction'), persistence: cpuOf('persistence') },
  };
}

async function probeAll({ gateway, extraction, persistence }: Pipeline) {
  return {
    gateway: await gateway.probe(),
    extraction: await extraction.probe(),
    persistence: await persistence.probe(),
  };
}

function describePipeline(rounds: readonly PipelineResult[]): Row[] {
  const cpuMs = (name: keyof Pipeline) => median(rounds.map((round) => round.cpuMs[name]));
  return [
    {
      id: 'T3',
      what: 'pipeline, one process of each service, 0 ms model',
      value: median(rounds.map(({ perSecond }) => perSecond)),
      unit: 'conv/s',
    },
    ...(['gateway', 'extraction', 'persistence'] as const).map((name) => ({
      id: 'T3',
      what: `pipeline: CPU of ${name} per conversation`,
      value: cpuMs(name),
      unit: 'ms',
    })),
  ];
}

/** One conversation at a time: the time from its 202 to the start of extraction, and to its stored memories. */
async function measureIdle(
  { extraction, persistence }: Pipeline,
  post: () => Promise<unknown>,
  count: number,
): Promise<Row[]> {
  await Promise.all([extraction.probe(), persistence.probe()]);
  const pickups: number[] = [];
  const ends: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await post();
    const acceptedAt = performance.timeOrigin + performance.now();
    const [extracted, persisted] = [await nextJob(extraction), await nextJob(persistence)];
    pickups.push(extracted.startedAt - acceptedAt);
    ends.push(persisted.endedAt - acceptedAt);
  }
  const [pickup, end] = [summarize(pickups), summarize(ends)];
  return [
    {
      id: 'T13',
      what: 'from the 202 to the start of extraction, idle: p50',
      value: pickup.p50,
      unit: 'ms',
      target: atMost(pickup.p50, 10, '<= 10 ms'),
      details: { pickup },
    },
    { id: 'T13', what: 'from the 202 to stored memories, idle: p50', value: end.p50, unit: 'ms', details: { end } },
  ];
}

async function nextJob(service: ServiceProcess) {
  for (;;) {
    const { jobs } = await service.probe();
    if (jobs[0]) return jobs[0];
    await sleep(POLL_MS);
  }
}

/**
 * Target T13 (docs/reference/performance-targets.md#t13-queue-pickup-and-drain-rate): overhead of our worker over the
 * bare queue, and of priorities in both.
 */
export const benchQueue: Suite = async ({ servers, quick }) => {
  const { redisUrl } = servers;
  const share = await benchQueueShare(quick ? { redisUrl, jobs: 4_000, rounds: 1 } : { redisUrl });
  const { wrapped, wrappedUnranked, bare, bareUnranked } = share.jobsPerSecond;
  return [
    {
      id: 'T13',
      what: 'no-op jobs of one process through our worker, with priorities',
      value: wrapped,
      unit: '/s',
      raw: { what: 'bare BullMQ, with priorities /s', value: bare },
      target: atLeast(wrapped, 5_000, '>= 5,000/s'),
    },
    {
      id: 'T13',
      what: 'the same without priorities',
      value: wrappedUnranked,
      unit: '/s',
      raw: { what: 'bare BullMQ, without /s', value: bareUnranked },
    },
    {
      id: 'T13',
      what: 'job pickup, idle, 16 at a time: p50',
      value: share.pickupP50Ms,
      unit: 'ms',
      target: atMost(share.pickupP50Ms, 10, '<= 10 ms'),
      details: { p95: share.pickupP95Ms },
    },
  ];
};
