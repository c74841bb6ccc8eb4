import { extractionQueue, type WorkJob } from '@annals/contracts';
import { CoordinationUnavailableError } from '@annals/coordination';
import { ManualClock, SystemClock, UuidV7Generator } from '@annals/domain';
import { type JobContext, type JobOutcome, PermanentJobError, TransientJobError } from '@annals/messaging';
import type { Logger, Metrics } from '@annals/observability';
import { acceptMessages, claimBatch, Database, ensureTenant, getBatches, replayBatch } from '@annals/storage';
import { createTestDatabase, newMessage, newPost, type TestDatabase } from '@annals/testing';
import type { BatchEnding, BatchStage } from './batch-stage.js';
import { endBatch } from './end-batch.js';
import { computeDelayMs } from '../leased-job/run-leased-job.js';
import { runBatchJob } from './run-batch-job.js';

const LEASE_MS = 30_000;
class JobDelayed extends Error {
  constructor(readonly delayMs: number) {
    super('delayed');
  }
}

describe('runBatchJob', () => {
  const ids = new UuidV7Generator(new SystemClock());
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  let testDatabase: TestDatabase;
  let database: Database;
  let tenantId: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await Database.open(testDatabase.app);
    tenantId = await ensureTenant(database, 'default', { ids, now: clock.now() });
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const acceptBatch = async (): Promise<WorkJob> => {
    const { batchIds } = await database.inTenant(tenantId, (tx) =>
      acceptMessages(
        tx,
        newPost([newMessage('words', clock.now())], clock.now(), { userId: 'u', threadId: ids.next() }),
        ids,
      ),
    );
    return { tenantId, subjectId: batchIds[0]!, generation: 1 };
  };
  const stateOf = async ({ subjectId: batchId }: WorkJob) =>
    (await database.inTenant(tenantId, (tx) => getBatches(tx, [batchId])))[0];
  const claim = ({ subjectId: batchId, generation }: WorkJob) =>
    database.inTenant(tenantId, (tx) =>
      claimBatch(tx, { batchId, generation, kind: 'extraction', now: clock.now(), leaseMs: LEASE_MS }),
    );

  const context: JobContext = {
    jobId: 'job',
    attempt: 2,
    attemptsLeft: 4,
    signal: new AbortController().signal,
    delayJob: (delayMs) => {
      throw new JobDelayed(delayMs);
    },
  };
  const stageThat = (run: BatchStage<string>['run'], more: Partial<BatchStage<string>> = {}): BatchStage<string> => ({
    definition: extractionQueue,
    concurrency: 1,
    leaseMs: LEASE_MS,
    load: () => Promise.resolve('input'),
    run,
    translate: () => undefined,
    ...more,
  });
  const runJob = (stage: BatchStage<string>, job: WorkJob) =>
    runBatchJob({ database, clock }, stage, job, context, (wait) => wait());

  it('passes the claimed batch and its input to the stage', async () => {
    const job = await acceptBatch();
    const run = vi.fn(() => Promise.resolve({ ends: 'done' } as const));
    expect(await runJob(stageThat(run), job)).toBe('done');
    expect(run).toHaveBeenCalledWith(
      expect.objectContaining({
        tenantId,
        batchId: job.subjectId,
        generation: 1,
        userId: 'u',
        fence: 1,
        acceptedAt: clock.now(),
      }),
      'input',
      expect.objectContaining({ attempt: 2, attemptsLeft: 4 }),
    );
  });

  it('delays the job while another worker holds the batch', async () => {
    const job = await acceptBatch();
    await claim(job);
    await expect(runJob(stageThat(vi.fn()), job)).rejects.toEqual(new JobDelayed(1_000));
  });

  it('claims the batch of a worker whose lease expired', async () => {
    const job = await acceptBatch();
    await claim(job);
    clock.advance(LEASE_MS);
    expect(
      await runJob(
        stageThat(() => Promise.resolve({ ends: 'done' })),
        job,
      ),
    ).toBe('done');
  });

  it('skips a job of an older generation', async () => {
    const job = await acceptBatch();
    const run = vi.fn();
    expect(await runJob(stageThat(run), { ...job, generation: 7 })).toBe('skipped');
    expect(run).not.toHaveBeenCalled();
  });

  it.each<[JobOutcome, BatchEnding]>([
    ['skipped', { ends: 'superseded' }],
    ['deferred', { ends: 'deferred', reason: 'circuit_open', until: 0, shortfallMicroUsd: null }],
  ])('gives the job the outcome %j when the run ends as %j', async (outcome, ending) => {
    const job = await acceptBatch();
    const stage = stageThat(() => Promise.resolve(ending));
    expect(await runJob(stage, job)).toBe(outcome);
    // The batch stays with the worker that has ended its run.
    expect((await claim(job)).outcome).toBe('held');
  });

  it('releases the batch when the attempt fails, so that the next one need not wait', async () => {
    const job = await acceptBatch();
    const failing = stageThat(() => Promise.reject(new Error('x')), {
      translate: () => new TransientJobError('transient'),
    });
    await expect(runJob(failing, job)).rejects.toMatchObject({ kind: 'transient', code: 'transient' });
    expect((await claim(job)).outcome).toBe('claimed');
  });

  it('releases the batch when the stage delays the job', async () => {
    const job = await acceptBatch();
    const delaying = stageThat(() => Promise.resolve({ ends: 'delayed', delayMs: 7_000 }));
    await expect(runJob(delaying, job)).rejects.toEqual(new JobDelayed(7_000));
    expect((await claim(job)).outcome).toBe('claimed');
  });

  it('delays the job while the coordination store is unreachable, using up no attempt', async () => {
    const job = await acceptBatch();
    const cutOff = stageThat(() => Promise.reject(new CoordinationUnavailableError()));
    await expect(runJob(cutOff, job)).rejects.toEqual(new JobDelayed(2_000));
    expect((await claim(job)).outcome).toBe('claimed');
  });

  it('delays the job while the database is unreachable, using up no attempt', async () => {
    const job = await acceptBatch();
    const outage = Object.assign(new Error('x'), { code: 'ECONNRESET' });
    const failing = stageThat(() => Promise.reject(outage));
    await expect(runJob(failing, job)).rejects.toEqual(new JobDelayed(2_000));
  });

  it('passes unknown errors to the worker', async () => {
    const job = await acceptBatch();
    const bug = new TypeError('x');
    await expect(
      runJob(
        stageThat(() => Promise.reject(bug)),
        job,
      ),
    ).rejects.toBe(bug);
  });

  it('stops the stage and skips the job once another worker has the batch', async () => {
    const job = await acceptBatch();
    const stage = stageThat(
      async (_batch, _input, { signal }) => {
        clock.advance(LEASE_MS);
        await claim(job);
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        return { ends: 'done' };
      },
      { leaseMs: 150 },
    );
    expect(await runJob(stage, job)).toBe('skipped');
  });

  describe('endBatch', () => {
    const logger = { warn: vi.fn() } as unknown as Logger;
    const metrics = { inc: vi.fn() } as unknown as Metrics;
    const end = (job: WorkJob) =>
      endBatch({ database, clock, logger, metrics }, 'extraction', job, new PermanentJobError('authentication'));

    it('fails the batch with a code and a message, and it can be replayed', async () => {
      const job = await acceptBatch();
      await end(job);
      expect(await stateOf(job)).toMatchObject({
        status: 'failed',
        error: { code: 'authentication', message: expect.stringContaining('Correct the provider') as string },
      });
      expect(metrics.inc).toHaveBeenCalledWith('memory_llm_batches_total', { state: 'failed' });
      expect(await database.inTenant(tenantId, (tx) => replayBatch(tx, job.subjectId, clock.now(), ids))).toBe(
        'replayed',
      );
    });

    it('does nothing to a batch that has moved on', async () => {
      const job = await acceptBatch();
      await end({ ...job, generation: 9 });
      expect((await stateOf(job))?.status).toBe('queued');
    });
  });
});

describe('computeDelayMs', () => {
  it.each([
    [10_000, 0, 1_000],
    [600, 0, 600],
    [0, 5_000, 50],
  ])('held until %i at %i: delays the job by %i ms', (until, now, delayMs) => {
    expect(computeDelayMs(until, now)).toBe(delayMs);
  });
});
