import { SeededRng } from '@annals/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConversation } from '../data/conversations.ts';
import type { ProbeReport } from '../processes/probe.ts';
import { acceptDirectly } from './accept-directly.ts';
import { runClosedLoop } from './load.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { log } from './log.ts';
import type { ServiceProcess } from './service-process.ts';
import type { BenchDeployment, WorkerOptions } from './deployment.ts';
import { waitForBatches } from './wait-for-batches.ts';

/** Concurrent jobs of the measured worker process. */
export const CONCURRENCY = 16;
/** Number of users in a backlog. */
export const USERS = 200;
/** Share of the jobs at either end of a run that is left out: start-up, and the tail without full concurrency. */
const EDGE = 0.1;

/** Measurements of one worker process that drained a backlog. */
export interface DrainResult {
  readonly jobsPerSecond: number;
  readonly cpuMsPerJob: number;
  readonly runMs: readonly number[];
  /** Durations of model calls, measured by the worker. */
  readonly providerMs: readonly number[];
  readonly sqlPerJob: Readonly<Record<keyof ProbeReport['sql'], number>>;
}

/** Creates batches that are due, as the gateway would store them. */
export function createSeeder(environment: BenchEnvironment): (count: number) => Promise<void> {
  const rng = new SeededRng(3);
  let serial = 0;
  return async (count) => {
    await runClosedLoop(CONCURRENCY, count, () =>
      acceptDirectly(environment, createConversation(rng, serial++, USERS), true),
    );
  };
}

/** Starts one worker on the backlog, and stops it when all is done. `jobs`: the expected number of jobs. */
export async function drain(
  { environment, startWorker }: BenchDeployment,
  name: 'extraction' | 'persistence',
  jobs: number,
  options: Partial<WorkerOptions> = {},
): Promise<DrainResult> {
  const worker = await startWorker(name, { concurrency: CONCURRENCY, ...options });
  await waitForBatches(environment, name === 'extraction' ? 'extracted' : 'done');
  const answer = await waitForAllJobs(worker, jobs);
  await worker.stop();
  const drained = summarizeDrain(answer, name, jobs);
  log(`${name}: ${Math.round(drained.jobsPerSecond)} jobs/s, ${drained.cpuMsPerJob.toFixed(2)} ms of CPU per job`);
  return drained;
}

const PROBE_INTERVAL_MS = 50;
const MAX_PROBES = 40;

/** Waits for the durations of all jobs: a job reports its duration shortly after its batch is done. */
async function waitForAllJobs(worker: Pick<ServiceProcess, 'probe'>, expected: number): Promise<ProbeReport> {
  let answer = await worker.probe();
  for (let probes = 1; answer.jobs.length < expected && probes < MAX_PROBES; probes += 1) {
    await sleep(PROBE_INTERVAL_MS);
    const more = await worker.probe();
    answer = {
      ...more,
      jobs: [...answer.jobs, ...more.jobs],
      providerMs: [...answer.providerMs, ...more.providerMs],
    };
  }
  return answer;
}

function summarizeDrain({ jobs, providerMs, sql }: ProbeReport, name: string, expected: number): DrainResult {
  if (jobs.length < expected) throw new Error(`Only ${jobs.length} of ${expected} ${name} jobs were reported.`);
  const counted = jobs.slice(Math.floor(jobs.length * EDGE), Math.ceil(jobs.length * (1 - EDGE)));
  const [first, last] = [counted[0]!, counted.at(-1)!];
  const steps = counted.length - 1;
  return {
    jobsPerSecond: steps / ((last.endedAt - first.endedAt) / 1_000),
    cpuMsPerJob: (last.cpuMs - first.cpuMs) / steps,
    runMs: counted.map(({ startedAt, endedAt }) => endedAt - startedAt),
    providerMs,
    sqlPerJob: Object.fromEntries(
      Object.entries(sql).map(([key, value]) => [key, value / jobs.length]),
    ) as DrainResult['sqlPerJob'],
  };
}
