import { SeededRng } from '@annals/domain';
import { createConversation } from '../data/conversations.ts';
import { SEED, USERS } from '../data/pipeline-load.ts';
import { type BenchDeployment, withDeployment } from '../frame/deployment.ts';
import { ApiClient } from '../frame/load.ts';
import { log } from '../frame/log.ts';
import type { Row } from '../frame/row.ts';
import { meterServerCpu, type ServerCpuMeter } from '../frame/server-cpu.ts';
import type { Suite, SuiteOptions } from '../frame/suite.ts';
import { type Mem0, openMem0 } from '../peers/mem0.ts';
import { describeRounds, type Mem0Round } from '../pipeline/describe-rounds.ts';
import { measureIdle } from '../pipeline/measure-idle.ts';
import { measureScaling } from '../pipeline/measure-scaling.ts';
import { type Pipeline, type RoundResult, runRound } from '../pipeline/run-round.ts';
import { noteMeasuredSpans } from '../profiling/measured-spans.ts';

const CONCURRENCY = 16;
const FULL = { warmUp: 400, rounds: 3, count: 800, mem0Count: 160, idle: 100, processes: [2, 4] };
const QUICK: typeof FULL = { warmUp: 100, rounds: 1, count: 200, mem0Count: 32, idle: 20, processes: [2] };

/**
 * The whole pipeline, from a post to its memories, with a model without delay: one process of each service, then several
 * workers; and mem0 with the same conversations, in turns.
 */
export const benchPipeline: Suite = (options) =>
  withDeployment(options, async (deployment) => {
    const { environment } = deployment;
    const serverCpu = await meterServerCpu(environment.superuser, environment.redisUrl);
    const mem0 = await openMem0(options.servers, environment);
    if (!mem0) log('mem0ai cannot be installed here, so there is nothing to compare with');
    try {
      return await measure(deployment, options, { serverCpu, mem0 });
    } finally {
      await mem0?.close();
      serverCpu.close();
    }
  });

interface Beside {
  readonly serverCpu: ServerCpuMeter;
  readonly mem0: Mem0 | null;
}

async function measure(
  deployment: BenchDeployment,
  { quick, profileFolder }: SuiteOptions,
  { serverCpu, mem0 }: Beside,
): Promise<Row[]> {
  const size = quick ? QUICK : FULL;
  const { pipeline, close } = await startPipeline(deployment, serverCpu);
  const rounds: RoundResult[] = [];
  const peer: Mem0Round[] = [];
  await runRound(pipeline, size.warmUp);
  if (mem0) await runMem0(mem0, serverCpu, size.mem0Count);
  for (let round = 0; round < size.rounds; round += 1) {
    rounds.push(await runRound(pipeline, size.count));
    if (mem0) peer.push(await runMem0(mem0, serverCpu, size.mem0Count));
  }
  const idle = await measureIdle(pipeline, size.idle);
  const scaling = await measureScaling(pipeline, rounds, {
    steps: size.processes,
    rounds: size.rounds,
    count: size.count / 2,
    startWorker: (name) => deployment.startWorker(name, { concurrency: CONCURRENCY }),
  });
  close();
  const spans = rounds.flatMap((round) => round.spans);
  if (profileFolder) noteMeasuredSpans(profileFolder, spans);
  return [...describeRounds(rounds, peer), ...scaling, ...idle];
}

async function startPipeline(
  deployment: BenchDeployment,
  serverCpu: ServerCpuMeter,
): Promise<{ pipeline: Pipeline; close(): void }> {
  const gateway = await deployment.startGateway();
  const client = new ApiClient(gateway.url, deployment.environment.apiKey);
  const rng = new SeededRng(SEED);
  let serial = 0;
  const pipeline: Pipeline = {
    environment: deployment.environment,
    serverCpu,
    gateway: [gateway],
    extraction: [await deployment.startWorker('extraction', { concurrency: CONCURRENCY })],
    persistence: [await deployment.startWorker('persistence', { concurrency: CONCURRENCY })],
    post: () =>
      client.post('/v1/conversations', JSON.stringify({ ...createConversation(rng, serial++, USERS), flush: true })),
  };
  return { pipeline, close: () => client.close() };
}

async function runMem0(mem0: Mem0, serverCpu: ServerCpuMeter, count: number): Promise<Mem0Round> {
  const before = await serverCpu.read();
  const report = await mem0.add(count);
  const after = await serverCpu.read();
  log(`mem0: ${report.perSecond.toFixed(1)} conversations/s, ${report.cpuMs.toFixed(2)} ms of CPU each`);
  const postgresMs = after.postgresMs === undefined ? undefined : (after.postgresMs - before.postgresMs!) / count;
  return { ...report, postgresMs };
}
