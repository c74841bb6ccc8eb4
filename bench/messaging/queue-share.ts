import { extractionQueue, type WorkJob } from '@annals/contracts';
import { SystemClock, SystemRng, UuidV7Generator } from '@annals/domain';
import { createQueueBackend, JobWorker, type QueueBackend } from '@annals/messaging';
import { createLogger, createMetrics } from '@annals/observability';
import { median, summarize } from '../frame/statistics.ts';

export interface QueueShareOptions {
  readonly redisUrl: string;
  readonly jobs?: number;
  readonly concurrency?: number;
  /** Number of interleaved measurements of each side; medians are reported. */
  readonly rounds?: number;
}

export interface QueueShareResult {
  /** No-op jobs per second of one process. */
  readonly jobsPerSecond: Readonly<Record<Side, number>>;
  /** Time from adding a job to an idle queue to the handler's first line, in ms. */
  readonly pickupP50Ms: number;
  readonly pickupP95Ms: number;
}

/**
 * Through `JobWorker` or through BullMQ's bare worker; jobs with the priorities of the relay, or without, which BullMQ
 * stores in a plain list.
 */
const SIDES = ['bare', 'bareUnranked', 'wrapped', 'wrappedUnranked'] as const;
type Side = (typeof SIDES)[number];
type OnJob = (job: WorkJob) => void;

const PICKUPS = 300;
/** Priorities like those of the relay for tenants with this many jobs each: a base number plus the lane. */
const FIRST_PRIORITY = 1_000_000;
const LANES = 100;
const definition = extractionQueue;
const clock = new SystemClock();
const ids = new UuidV7Generator(clock, new SystemRng());

/**
 * Overhead of our worker (docs/reference/performance-targets.md#t13-queue-pickup-and-drain-rate), compared
 * with the bare queue in the same run.
 */
export async function benchQueueShare(options: QueueShareOptions): Promise<QueueShareResult> {
  const { redisUrl, jobs = 20_000, concurrency = 16, rounds = 3 } = options;
  const drained: Record<Side, number[]> = { bare: [], bareUnranked: [], wrapped: [], wrappedUnranked: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const side of SIDES) {
      drained[side].push(await withBackend(redisUrl, (backend) => measureDrain(backend, side, jobs, concurrency)));
    }
  }
  const pickups = await withBackend(redisUrl, (backend) => measurePickups(backend, concurrency));
  const { p50, p95 } = summarize(pickups);
  return {
    jobsPerSecond: Object.fromEntries(SIDES.map((side) => [side, median(drained[side])])) as Record<Side, number>,
    pickupP50Ms: p50,
    pickupP95Ms: p95,
  };
}

async function measureDrain(backend: QueueBackend, side: Side, jobs: number, concurrency: number): Promise<number> {
  const queue = backend.openQueue(definition);
  for (let added = 0; added < jobs; added += 500) await queue.addAll(createJobs(500, !side.endsWith('Unranked')));
  const { promise: drained, resolve } = Promise.withResolvers<void>();
  let left = jobs;
  const close = await startWorker(backend, side.startsWith('bare') ? 'bare' : 'wrapped', concurrency, () => {
    left -= 1;
    if (left === 0) resolve();
  });
  const startedMs = performance.now();
  await drained;
  const seconds = (performance.now() - startedMs) / 1_000;
  await close();
  return jobs / seconds;
}

async function measurePickups(backend: QueueBackend, concurrency: number): Promise<number[]> {
  const queue = backend.openQueue(definition);
  const times: number[] = [];
  let onPickup: () => void = () => undefined;
  const close = await startWorker(backend, 'wrapped', concurrency, () => onPickup());
  for (let count = 0; count < PICKUPS; count += 1) {
    const { promise: pickedUp, resolve } = Promise.withResolvers<void>();
    onPickup = resolve;
    const startedMs = performance.now();
    await queue.addAll(createJobs(1, true));
    await pickedUp;
    times.push(performance.now() - startedMs);
  }
  await close();
  return times;
}

async function startWorker(
  backend: QueueBackend,
  kind: 'bare' | 'wrapped',
  concurrency: number,
  onJob: OnJob,
): Promise<() => Promise<void>> {
  if (kind === 'bare') {
    const worker = backend.createWorker(definition.name, async (job) => onJob(job.data as WorkJob), { concurrency });
    await worker.waitUntilReady();
    void worker.run();
    return () => worker.close();
  }
  const worker = new JobWorker({
    definition,
    backend,
    concurrency,
    clock,
    logger: createBenchLogger(),
    metrics: createMetrics({ service: 'bench', version: '0', processMetrics: false }),
    handler: async (job) => (onJob(job), 'done'),
    onExhausted: async () => undefined,
  });
  await worker.start();
  return () => worker.close({ timeoutMs: 5_000 });
}

async function withBackend<T>(url: string, work: (backend: QueueBackend) => Promise<T>): Promise<T> {
  const prefix = `bench-${ids.next()}`;
  const backend = await createQueueBackend({ kind: 'redis', url, prefix }, { logger: createBenchLogger() });
  try {
    return await work(backend);
  } finally {
    await backend.openQueue(definition).bull.obliterate({ force: true });
    await backend.close();
  }
}

function createJobs(count: number, isRanked: boolean) {
  return Array.from({ length: count }, (_, index) => ({
    payload: { tenantId: ids.next(), subjectId: ids.next(), generation: 1 },
    trace: null,
    priority: isRanked ? FIRST_PRIORITY + (index % LANES) : 0,
  }));
}

function createBenchLogger() {
  return createLogger({ service: 'bench', level: 'info', clock });
}
