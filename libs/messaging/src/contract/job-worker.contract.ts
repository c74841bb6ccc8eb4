import type { BatchJob } from '@annals/contracts';
import { waitUntil } from '@annals/testing';
import { computeJobPriority } from '../job-queue/compute-priority.js';
import { JobMistake, JobTrouble } from '../worker/job-fault.js';
import type { JobContext } from '../worker/job-worker.types.js';
import { createBatchJob, QueueBench, type QueuePlace, testDefinition } from './queue-bench.contract.js';
import { loseWorkerInMidJob } from './start-vanishing-worker.contract.js';

type Seen = Pick<JobContext, 'attempt' | 'attemptsLeft'>;

/** What every queue must do for a worker, whatever it stores jobs in. */
export function describeJobWorker(getPlace: () => QueuePlace): void {
  let bench: QueueBench;

  beforeEach(async () => {
    bench = await QueueBench.open(getPlace());
  });
  afterEach(() => bench.close());

  const waitForState = (jobId: string, state: string) =>
    waitUntil(async () => (await bench.readState(jobId)) === state, { describe: `${jobId} is ${state}` });

  it('runs a job once that was added twice', async () => {
    const payload = createBatchJob();
    const runs: unknown[] = [];
    await bench.add(payload);
    const jobId = await bench.add(payload);
    expect(await bench.queue.readCounts()).toMatchObject({ waiting: 1 });
    await bench.startWorker(async (job) => (runs.push(job), 'done'));
    await waitForState(jobId, 'completed');
    await bench.add(payload);
    expect(await bench.queue.readCounts()).toMatchObject({ waiting: 0, active: 0 });
    expect(runs).toEqual([payload]);
  });

  it('fails a job of an unknown name at once', async () => {
    const runs: unknown[] = [];
    await bench.startWorker(async (job) => (runs.push(job), 'done'));
    await bench.queue.bull.add('someone-elses-job', createBatchJob(), { jobId: 'stray', attempts: 3 });
    await waitForState('stray', 'failed');
    const [failed] = await bench.queue.listFailedJobs();
    expect(failed).toMatchObject({ jobId: 'stray', reason: 'unknown_job_name', attempts: 1 });
    expect(runs).toEqual([]);
  });

  it('fails a job whose payload does not fit at once and tells of it', async () => {
    await bench.startWorker(async () => 'done');
    const { jobName } = testDefinition;
    await bench.queue.bull.add(jobName, { tenantId: 'not an id' }, { jobId: 'broken', attempts: 3 });
    await waitForState('broken', 'failed');
    const [failed] = await bench.queue.listFailedJobs();
    expect(failed).toMatchObject({ jobId: 'broken', reason: 'bad_payload', attempts: 1, payload: null });
    // The queue has the job's state a moment before its worker has the answer and tells.
    const refusal = await waitUntil(() => bench.recorded.lines.find(({ event }) => event === 'job_refused'), {
      describe: 'the worker tells of it',
    });
    expect(refusal.level).toBe('error');
  });

  it('tries again after passing trouble', async () => {
    const seen: Seen[] = [];
    await bench.startWorker(async (_payload, { attempt, attemptsLeft }) => {
      seen.push({ attempt, attemptsLeft });
      if (attempt === 1) throw new JobTrouble('provider_busy');
      return 'done';
    });
    await waitForState(await bench.add(), 'completed');
    expect(seen).toEqual([
      { attempt: 1, attemptsLeft: 2 },
      { attempt: 2, attemptsLeft: 1 },
    ]);
    expect(bench.exhausted).toEqual([]);
  });

  it('waits as long as the trouble asks', async () => {
    const startedMs: number[] = [];
    await bench.startWorker(async () => {
      startedMs.push(performance.now());
      if (startedMs.length === 1) throw new JobTrouble('rate_limit', { retryAfterMs: 700 });
      return 'done';
    });
    await waitForState(await bench.add(), 'completed');
    expect(startedMs[1]! - startedMs[0]!).toBeGreaterThanOrEqual(690);
  });

  it('reports a job whose attempts are used up, and stores a code instead of words', async () => {
    const payload = createBatchJob();
    await bench.startWorker(async () => {
      throw new Error('Ada lives in Paris');
    });
    const jobId = await bench.add(payload);
    await waitUntil(() => bench.exhausted.length > 0, { describe: 'the job is reported' });
    expect(bench.exhausted).toEqual([
      { payload, job: { jobId, fault: expect.objectContaining({ kind: 'bug', code: 'internal_error' }) } },
    ]);
    const [failed] = await bench.queue.listFailedJobs();
    expect(failed).toMatchObject({ jobId, payload, reason: 'internal_error', attempts: 3 });
    expect(JSON.stringify(await bench.queue.bull.getJob(jobId))).not.toContain('Paris');
  });

  it('does not try a mistake again', async () => {
    let runs = 0;
    await bench.startWorker(async () => {
      runs += 1;
      throw new JobMistake('budget_too_small');
    });
    await bench.add();
    await waitUntil(() => bench.exhausted.length > 0, { describe: 'the job is reported' });
    expect(runs).toBe(1);
    expect(bench.exhausted[0]?.job.fault).toMatchObject({ kind: 'mistake', code: 'budget_too_small' });
  });

  it('takes the first job of one tenant before the rest of a flood of another', async () => {
    const now = bench.clock.now();
    const flood = Array.from({ length: 64 }, () => createBatchJob());
    const single = createBatchJob();
    const toJob = (payload: BatchJob, lane: number) => ({
      payload,
      trace: null,
      priority: computeJobPriority(now, { lane, bulk: false }),
    });
    // The whole flood is on the queue before the other tenant has anything to do.
    await bench.queue.addAll(flood.map(toJob));
    await bench.queue.addAll([toJob(single, 0)]);
    const taken: string[] = [];
    await bench.startWorker(async ({ batchId }) => (taken.push(batchId), 'done'), {
      ...testDefinition,
      concurrency: 1,
    });
    await waitUntil(() => taken.length === 65, { describe: 'all jobs ran' });
    expect(taken.indexOf(single.batchId)).toBeLessThanOrEqual(1);
    expect(taken.filter((id) => id !== single.batchId)).toEqual(flood.map(({ batchId }) => batchId));
  });

  it('removes failed jobs and nothing else', async () => {
    await bench.startWorker(async (_payload, { jobId }) => {
      if (jobId.endsWith('-9')) throw new JobMistake('unwanted');
      return 'done';
    });
    const good = await bench.add();
    const bad = await bench.add({ ...createBatchJob(), generation: 9 });
    await waitForState(good, 'completed');
    await waitForState(bad, 'failed');
    expect(await bench.queue.removeFailedJobs([good, bad, 'never-was'])).toBe(1);
    expect(await bench.readState(bad)).toBe('missing');
    expect(await bench.readState(good)).toBe('completed');
  });

  it('aborts a handler that takes too long, even one that does not listen', async () => {
    const signals: AbortSignal[] = [];
    const definition = { ...testDefinition, timeoutMs: 60 };
    const never = new Promise<never>(() => undefined);
    await bench.startWorker((_payload, { signal }) => (signals.push(signal), never), definition);
    await bench.add();
    await waitUntil(() => bench.exhausted.length > 0, { describe: 'the job is reported' });
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true, true]);
    expect(bench.exhausted[0]?.job.fault).toMatchObject({ kind: 'trouble', code: 'timeout' });
  });

  it('keeps the attempts of a job that waits at a gate', async () => {
    const attempts: number[] = [];
    await bench.startWorker(async (_payload, { attempt, gate }) => {
      attempts.push(attempt);
      if (attempts.length <= 4) gate(20);
      return 'done';
    });
    await waitForState(await bench.add(), 'completed');
    expect(attempts).toEqual([1, 1, 1, 1, 1]);
  });

  it('lets other jobs run while one waits at a gate', async () => {
    const definition = { ...testDefinition, concurrency: 1 };
    await bench.startWorker(async (_payload, { jobId, gate }) => {
      if (jobId.endsWith('-9')) gate(60_000);
      return 'done';
    }, definition);
    const gated = await bench.add({ ...createBatchJob(), generation: 9 });
    await waitForState(await bench.add(), 'completed');
    expect(await bench.readState(gated)).toBe('delayed');
  });

  it('finishes the running job before it closes', async () => {
    const gate = Promise.withResolvers<void>();
    const worker = await bench.startWorker(async () => (await gate.promise, 'done'));
    const jobId = await bench.add();
    await waitForState(jobId, 'active');
    const closed = worker.close({ timeoutMs: 10_000 });
    gate.resolve();
    await closed;
    expect(await bench.readState(jobId)).toBe('completed');
  });

  it('gives a running job back when it must close, its attempt unused', async () => {
    const signals: AbortSignal[] = [];
    const never = new Promise<never>(() => undefined);
    const worker = await bench.startWorker((_payload, { signal }) => (signals.push(signal), never));
    const jobId = await bench.add();
    await waitForState(jobId, 'active');
    await worker.close({ timeoutMs: 50 });
    expect(signals[0]?.aborted).toBe(true);
    expect(await bench.readState(jobId)).toBe('prioritized');
    const attempts: number[] = [];
    await bench.startWorker(async (_payload, { attempt }) => (attempts.push(attempt), 'done'));
    await waitForState(jobId, 'completed');
    expect(attempts).toEqual([1]);
  });

  it('resumes a job whose worker was killed', async () => {
    const place = getPlace();
    if (!place.isShared) return;
    const jobId = await bench.add();
    expect(await loseWorkerInMidJob(place.backend)).toBe(jobId);
    const attempts: number[] = [];
    await bench.startWorker(async (_payload, { attempt }) => (attempts.push(attempt), 'done'));
    await waitForState(jobId, 'completed');
    expect(attempts).toEqual([1]);
    expect(bench.recorded.lines).toContainEqual(expect.objectContaining({ event: 'job_stalled' }));
  });

  it('reports a job that lost its workers too often', async () => {
    const place = getPlace();
    if (!place.isShared) return;
    const jobId = await bench.add();
    await loseWorkerInMidJob(place.backend);
    let runs = 0;
    await bench.startWorker(async () => ((runs += 1), 'done'), { ...testDefinition, maxStalledCount: 0 });
    await waitUntil(() => bench.exhausted.length > 0, { describe: 'the job is reported' });
    expect(bench.exhausted[0]?.job).toMatchObject({ jobId, fault: { code: 'stalled_too_often' } });
    expect(runs).toBe(0);
  });
}
