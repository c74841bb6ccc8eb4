import { vectorsQueue, type WorkJob } from '@annals/contracts';
import { ManualClock, SystemClock, UuidV7Generator } from '@annals/domain';
import { type JobContext, PermanentJobError } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { Database, ensureTenant, enqueueWork, listWork, type Tx } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { endFailedWork } from './end-failed-work.js';
import { commitWork, runWorkJob } from './run-work-job.js';
import type { WorkStage } from './work-stage.js';

const LEASE_MS = 30_000;
class JobDelayed extends Error {}

describe('runWorkJob', () => {
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

  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => database.inTenant(tenantId, work);
  const ask = (subjectId: string) =>
    inTenant((tx) =>
      enqueueWork(tx, [{ kind: 'vectors', subjectId, availableAt: clock.now(), trace: null }], {
        now: clock.now(),
        ids,
      }),
    );
  const addWork = async (): Promise<WorkJob> => {
    const subjectId = ids.next();
    await ask(subjectId);
    return { tenantId, subjectId, generation: 1 };
  };
  const find = async ({ subjectId }: WorkJob) =>
    (await inTenant((tx) => listWork(tx, { limit: 50 }))).items.find((work) => work.subject_id === subjectId);
  /** An effect that can be counted: a user who is named after the subject. */
  const effectOf =
    ({ subjectId }: WorkJob) =>
    (tx: Tx) =>
      tx.execute('INSERT INTO users (user_id, created_at) VALUES ($1, now())', [`${subjectId} ${ids.next()}`]);
  const countEffects = async ({ subjectId }: WorkJob) =>
    (await inTenant((tx) => tx.query('SELECT FROM users WHERE user_id LIKE $1', [`${subjectId} %`]))).length;

  const context: JobContext = {
    jobId: 'job',
    attempt: 1,
    attemptsLeft: 2,
    signal: new AbortController().signal,
    delayJob: (delayMs) => {
      throw new JobDelayed(String(delayMs));
    },
  };
  const stageThat = (
    run: WorkStage<string>['run'],
    translate: WorkStage<string>['translate'] = () => undefined,
  ): WorkStage<string> => ({
    definition: vectorsQueue,
    leaseMs: LEASE_MS,
    load: (_tx, subjectId) => Promise.resolve(`input of ${subjectId}`),
    run,
    translate,
  });
  const runJob = (stage: WorkStage<string>, job: WorkJob) =>
    runWorkJob({ database, clock }, stage, job, context, (wait) => wait());
  const commit: WorkStage<string>['run'] = async (work) => {
    await commitWork(database, work, effectOf(work));
    return { ends: 'done' };
  };

  it('passes the claimed work and its input to the stage, and ends it with its effect', async () => {
    const job = await addWork();
    const run = vi.fn(commit);
    expect(await runJob(stageThat(run), job)).toBe('done');
    expect(run.mock.calls[0]).toMatchObject([{ ...job, attempts: 1 }, `input of ${job.subjectId}`, { attempt: 1 }]);
    expect([await find(job), await countEffects(job)]).toEqual([undefined, 1]);
    expect(await runJob(stageThat(run), job)).toBe('skipped');
  });

  it('has one effect when a worker dies between claim and commit, or comes back after it', async () => {
    const job = await addWork();
    let died: () => void = () => undefined;
    const claimed = Promise.withResolvers<void>();
    const dying = runJob(
      stageThat(async (work, input, attempt) => {
        claimed.resolve();
        await new Promise<void>((resolve) => (died = resolve));
        return commit(work, input, attempt);
      }),
      job,
    );
    await claimed.promise;
    await expect(runJob(stageThat(commit), job)).rejects.toThrow(JobDelayed);
    clock.advance(LEASE_MS);
    expect(await runJob(stageThat(commit), job)).toBe('done');
    died();
    expect(await dying).toBe('skipped');
    expect(await countEffects(job)).toBe(1);
  });

  it('runs again for what was asked for during its run', async () => {
    const job = await addWork();
    const stage = stageThat(async (work, input, attempt) => {
      if (work.generation === 1) await ask(work.subjectId);
      return commit(work, input, attempt);
    });
    expect(await runJob(stage, job)).toBe('done');
    expect(await find(job)).toMatchObject({ status: 'waiting' });
    expect(await runJob(stage, { ...job, generation: 2 })).toBe('done');
    expect([await find(job), await countEffects(job)]).toEqual([undefined, 2]);
  });

  it('writes a deferral, and leaves the work to its next run', async () => {
    const job = await addWork();
    const until = clock.now() + 60_000;
    const deferred = { ends: 'deferred', reason: 'provider_unavailable', until } as const;
    expect(
      await runJob(
        stageThat(() => Promise.resolve(deferred)),
        job,
      ),
    ).toBe('deferred');
    expect(await find(job)).toMatchObject({ status: 'deferred', due_at: new Date(until).toISOString() });
    expect(await runJob(stageThat(commit), { ...job, generation: 2 })).toBe('done');
  });

  it('frees the work after an error for its next attempt, and shows the failure of the last one', async () => {
    const job = await addWork();
    const refused = stageThat(
      () => Promise.reject(new Error('Ada lives in Bern')),
      () => new PermanentJobError('authentication'),
    );
    const error = await runJob(refused, job).catch((thrown: unknown) => thrown);
    expect(error).toEqual(new PermanentJobError('authentication'));
    const warn = vi.fn();
    const logger = { warn } as unknown as Logger;
    await endFailedWork({ database, clock, logger }, 'vectors', job, error as PermanentJobError);
    await endFailedWork({ database, clock, logger }, 'vectors', job, error as PermanentJobError);
    expect(warn.mock.calls).toEqual([
      ['work_failed', { tenantId, kind: 'vectors', subjectId: job.subjectId, reason: 'authentication' }],
    ]);
    expect(await find(job)).toMatchObject({ status: 'failed', failure_code: 'authentication' });
    expect(await runJob(stageThat(commit), job)).toBe('skipped');
  });
});
