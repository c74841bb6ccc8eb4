import type { WorkJob } from '@annals/contracts';
import { waitUntil } from '@annals/testing';
import { computeJobPriority } from '../job-queue/compute-priority.js';
import { PermanentJobError, TransientJobError } from '../worker/job-error.js';
import type { JobContext } from '../worker/job-worker.types.js';
import { createWorkJob, QueueFixture, type QueueTarget, testDefinition } from '../fixtures/queue.fixture.js';
import { killWorkerMidJob } from '../fixtures/kill-worker-mid-job.fixture.js';

type SeenAttempt = Pick<JobContext, 'attempt' | 'attemptsLeft'>;

/** The contract suite of workers, for every queue backend. */
export function describeJobWorker(getTarget: () => QueueTarget): void {
  let fixture: QueueFixture;

  beforeEach(async () => {
    fixture = await QueueFixture.open(getTarget());
  });
  afterEach(() => fixture.close());

  const waitForState = (jobId: string, state: string) =>
    waitUntil(async () => (await fixture.readState(jobId)) === state, { describe: `${jobId} is ${state}` });

  it('runs a job that was added twice only once', async () => {
    const payload = createWorkJob();
    const runs: unknown[] = [];
    await fixture.add(payload);
    const jobId = await fixture.add(payload);
    expect(await fixture.queue.readCounts()).toMatchObject({ waiting: 1 });
    await fixture.startWorker(async (job) => (runs.push(job), 'done'));
    await waitForState(jobId, 'completed');
    await fixture.add(payload);
    expect(await fixture.queue.readCounts()).toMatchObject({ waiting: 0, active: 0 });
    expect(runs).toEqual([payload]);
  });

  it('fails a job with an unknown name without a retry', async () => {
    const runs: unknown[] = [];
    await fixture.startWorker(async (job) => (runs.push(job), 'done'));
    await fixture.queue.bull.add('someone-elses-job', createWorkJob(), { jobId: 'stray', attempts: 3 });
    await waitForState('stray', 'failed');
    const [failed] = await fixture.queue.listFailedJobs();
    expect(failed).toMatchObject({ jobId: 'stray', reason: 'unknown_job_name', attempts: 1 });
    expect(runs).toEqual([]);
  });

  it('fails a job with an invalid payload without a retry and logs it', async () => {
    await fixture.startWorker(async () => 'done');
    const { jobName } = testDefinition;
    await fixture.queue.bull.add(jobName, { tenantId: 'not an id' }, { jobId: 'broken', attempts: 3 });
    await waitForState('broken', 'failed');
    const [failed] = await fixture.queue.listFailedJobs();
    expect(failed).toMatchObject({ jobId: 'broken', reason: 'bad_payload', attempts: 1, payload: null });
    // The queue has the state of the job a moment before its worker has the reply and logs it.
    const refusal = await waitUntil(() => fixture.recorded.lines.find(({ event }) => event === 'job_refused'), {
      describe: 'the worker logs the refusal',
    });
    expect(refusal.level).toBe('error');
  });

  it('retries after a transient error', async () => {
    const seen: SeenAttempt[] = [];
    await fixture.startWorker(async (_payload, { attempt, attemptsLeft }) => {
      seen.push({ attempt, attemptsLeft });
      if (attempt === 1) throw new TransientJobError('provider_busy');
      return 'done';
    });
    await waitForState(await fixture.add(), 'completed');
    expect(seen).toEqual([
      { attempt: 1, attemptsLeft: 2 },
      { attempt: 2, attemptsLeft: 1 },
    ]);
    expect(fixture.exhausted).toEqual([]);
  });

  it('waits for the retryAfterMs of the error', async () => {
    const startedMs: number[] = [];
    await fixture.startWorker(async () => {
      startedMs.push(performance.now());
      if (startedMs.length === 1) throw new TransientJobError('rate_limit', { retryAfterMs: 700 });
      return 'done';
    });
    await waitForState(await fixture.add(), 'completed');
    expect(startedMs[1]! - startedMs[0]!).toBeGreaterThanOrEqual(690);
  });

  it('reports a job whose attempts are used up, and stores a code without the message', async () => {
    const payload = createWorkJob();
    await fixture.startWorker(async () => {
      throw new Error('Ada lives in Paris');
    });
    const jobId = await fixture.add(payload);
    await waitUntil(() => fixture.exhausted.length > 0, { describe: 'the job is reported' });
    expect(fixture.exhausted).toEqual([
      { payload, job: { jobId, jobError: expect.objectContaining({ kind: 'unexpected', code: 'internal_error' }) } },
    ]);
    const [failed] = await fixture.queue.listFailedJobs();
    expect(failed).toMatchObject({ jobId, payload, reason: 'internal_error', attempts: 3 });
    expect(JSON.stringify(await fixture.queue.bull.getJob(jobId))).not.toContain('Paris');
  });

  it('does not retry a permanent error', async () => {
    let runs = 0;
    await fixture.startWorker(async () => {
      runs += 1;
      throw new PermanentJobError('budget_too_small');
    });
    await fixture.add();
    await waitUntil(() => fixture.exhausted.length > 0, { describe: 'the job is reported' });
    expect(runs).toBe(1);
    expect(fixture.exhausted[0]?.job.jobError).toMatchObject({ kind: 'permanent', code: 'budget_too_small' });
  });

  it('takes the first job of a tenant before the remaining jobs of a flood of another tenant', async () => {
    const now = fixture.clock.now();
    const flood = Array.from({ length: 64 }, () => createWorkJob());
    const single = createWorkJob();
    const toJob = (payload: WorkJob, lane: number) => ({
      payload,
      trace: null,
      priority: computeJobPriority(now, { lane, bulk: false }),
    });
    // The whole flood is on the queue before the other tenant adds a job.
    await fixture.queue.addAll(flood.map(toJob));
    await fixture.queue.addAll([toJob(single, 0)]);
    const taken: string[] = [];
    await fixture.startWorker(async ({ subjectId }) => (taken.push(subjectId), 'done'), {
      ...testDefinition,
      concurrency: 1,
    });
    await waitUntil(() => taken.length === 65, { describe: 'all jobs ran' });
    expect(taken.indexOf(single.subjectId)).toBeLessThanOrEqual(1);
    expect(taken.filter((id) => id !== single.subjectId)).toEqual(flood.map(({ subjectId }) => subjectId));
  });

  it('removes only failed jobs', async () => {
    await fixture.startWorker(async (_payload, { jobId }) => {
      if (jobId.endsWith('-9')) throw new PermanentJobError('unwanted');
      return 'done';
    });
    const good = await fixture.add();
    const bad = await fixture.add({ ...createWorkJob(), generation: 9 });
    await waitForState(good, 'completed');
    await waitForState(bad, 'failed');
    expect(await fixture.queue.removeFailedJobs([good, bad, 'never-was'])).toBe(1);
    expect(await fixture.readState(bad)).toBe('missing');
    expect(await fixture.readState(good)).toBe('completed');
  });

  it('aborts a handler on timeout, even if it ignores the signal', async () => {
    const signals: AbortSignal[] = [];
    const definition = { ...testDefinition, timeoutMs: 60 };
    const never = new Promise<never>(() => undefined);
    await fixture.startWorker((_payload, { signal }) => (signals.push(signal), never), definition);
    await fixture.add();
    await waitUntil(() => fixture.exhausted.length > 0, { describe: 'the job is reported' });
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true, true]);
    expect(fixture.exhausted[0]?.job.jobError).toMatchObject({ kind: 'transient', code: 'timeout' });
  });

  it('uses up no attempt of a delayed job', async () => {
    const attempts: number[] = [];
    await fixture.startWorker(async (_payload, { attempt, delayJob }) => {
      attempts.push(attempt);
      if (attempts.length <= 4) delayJob(20);
      return 'done';
    });
    await waitForState(await fixture.add(), 'completed');
    expect(attempts).toEqual([1, 1, 1, 1, 1]);
  });

  it('runs other jobs while one is delayed', async () => {
    const definition = { ...testDefinition, concurrency: 1 };
    await fixture.startWorker(async (_payload, { jobId, delayJob }) => {
      if (jobId.endsWith('-9')) delayJob(60_000);
      return 'done';
    }, definition);
    const delayed = await fixture.add({ ...createWorkJob(), generation: 9 });
    await waitForState(await fixture.add(), 'completed');
    expect(await fixture.readState(delayed)).toBe('delayed');
  });

  it('finishes the running job before it closes', async () => {
    const finish = Promise.withResolvers<void>();
    const worker = await fixture.startWorker(async () => (await finish.promise, 'done'));
    const jobId = await fixture.add();
    await waitForState(jobId, 'active');
    const closed = worker.close({ timeoutMs: 10_000 });
    finish.resolve();
    await closed;
    expect(await fixture.readState(jobId)).toBe('completed');
  });

  it('returns a running job to the queue when it must close, without using up an attempt', async () => {
    const signals: AbortSignal[] = [];
    const never = new Promise<never>(() => undefined);
    const worker = await fixture.startWorker((_payload, { signal }) => (signals.push(signal), never));
    const jobId = await fixture.add();
    await waitForState(jobId, 'active');
    await worker.close({ timeoutMs: 50 });
    expect(signals[0]?.aborted).toBe(true);
    expect(await fixture.readState(jobId)).toBe('prioritized');
    const attempts: number[] = [];
    await fixture.startWorker(async (_payload, { attempt }) => (attempts.push(attempt), 'done'));
    await waitForState(jobId, 'completed');
    expect(attempts).toEqual([1]);
  });

  it('resumes a job whose worker was killed', async () => {
    const target = getTarget();
    if (!target.isShared) return;
    const jobId = await fixture.add();
    expect(await killWorkerMidJob(target.backend)).toBe(jobId);
    const attempts: number[] = [];
    await fixture.startWorker(async (_payload, { attempt }) => (attempts.push(attempt), 'done'));
    await waitForState(jobId, 'completed');
    expect(attempts).toEqual([1]);
    expect(fixture.recorded.lines).toContainEqual(expect.objectContaining({ event: 'job_stalled' }));
  });

  it('reports a job whose workers died too often', async () => {
    const target = getTarget();
    if (!target.isShared) return;
    const jobId = await fixture.add();
    await killWorkerMidJob(target.backend);
    let runs = 0;
    await fixture.startWorker(async () => ((runs += 1), 'done'), { ...testDefinition, maxStalledCount: 0 });
    await waitUntil(() => fixture.exhausted.length > 0, { describe: 'the job is reported' });
    expect(fixture.exhausted[0]?.job).toMatchObject({ jobId, jobError: { code: 'stalled_too_often' } });
    expect(runs).toBe(0);
  });
}
