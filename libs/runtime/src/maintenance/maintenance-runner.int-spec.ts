import { leaseMaintenanceJob, readMaintenanceStatus } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import { MaintenanceFixture } from './maintenance.fixture.js';
import type { MaintenanceJob, MaintenanceRun } from './maintenance-job.js';
import type { MaintenanceRunner } from './maintenance-runner.js';

const HOUR_MS = 3_600_000;
const LEASE_MS = 30_000;

/** A job that records the cursors it was given and returns what `answer` does. */
class RecordingJob implements MaintenanceJob {
  readonly intervalMs = HOUR_MS;
  readonly cursors: unknown[] = [];

  constructor(
    readonly name: string,
    private readonly answer: (run: MaintenanceRun, count: number) => ReturnType<MaintenanceJob['run']>,
  ) {}

  run(run: MaintenanceRun) {
    this.cursors.push(run.cursor);
    return this.answer(run, this.cursors.length);
  }
}

const done = async () => ({ done: 1, cursor: null });

describe('MaintenanceRunner', () => {
  let fixture: MaintenanceFixture;

  beforeAll(async () => {
    fixture = await MaintenanceFixture.open();
  });
  afterAll(() => fixture.close());

  const statusOf = async (name: string) =>
    (await readMaintenanceStatus(fixture.database)).find((status) => status.name === name)!;

  function addRunnerWith(...jobs: MaintenanceJob[]): MaintenanceRunner {
    const runner = fixture.addRunner({ leaseMs: LEASE_MS });
    for (const job of jobs) runner.add(job);
    return runner;
  }

  it('runs a job when its interval has passed, and not before', async () => {
    const job = new RecordingJob('interval', done);
    const runner = addRunnerWith(job);
    expect(await runner.runDue()).toBe(1);
    fixture.clock.advance(HOUR_MS - 1);
    expect(await runner.runDue()).toBe(0);
    fixture.clock.advance(1);
    expect(await runner.runDue()).toBe(1);
    expect(await statusOf('interval')).toMatchObject({ runs: 2, done: 2, failures: 0, isInProgress: false });
  });

  it('continues an unfinished job from its cursor without a delay, after the other due jobs', async () => {
    const order: string[] = [];
    const long = new RecordingJob('b_long', async (_, count) => {
      order.push('long');
      return { done: 10, cursor: count < 3 ? { position: count } : null };
    });
    const short = new RecordingJob('b_short', async () => {
      order.push('short');
      return { done: 0, cursor: null };
    });
    expect(await addRunnerWith(long, short).runDue()).toBe(4);
    expect(long.cursors).toEqual([null, { position: 1 }, { position: 2 }]);
    expect(order.indexOf('short')).toBeLessThan(2);
    expect(await statusOf('b_long')).toMatchObject({ done: 30, isInProgress: false });
  });

  it('runs a job in one process at a time', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const first = new RecordingJob('once', async () => released.then(done));
    const second = new RecordingJob('once', done);
    const running = addRunnerWith(first).runDue();
    await waitUntil(() => first.cursors.length === 1, { describe: 'the job runs' });
    const other = addRunnerWith(second);
    expect(await other.runDue()).toBe(0);
    release();
    expect(await running).toBe(1);
    expect(await other.runDue()).toBe(0);
    expect([first.cursors.length, second.cursors.length]).toEqual([1, 0]);
  });

  it('continues in another process once the lease of a killed process has expired', async () => {
    const job = new RecordingJob('killed', async (_, count) => ({ done: 1, cursor: count === 1 ? 'half' : null }));
    const dead = fixture.ids.next();
    const lease = { names: ['killed'], holder: dead, leaseMs: LEASE_MS };
    expect(await leaseMaintenanceJob(fixture.database, { ...lease, now: fixture.clock.now() })).not.toBeNull();
    const runner = addRunnerWith(job);
    expect(await runner.runDue()).toBe(0);
    fixture.clock.advance(LEASE_MS);
    expect(await runner.runDue()).toBe(2);
    expect(job.cursors).toEqual([null, 'half']);
  });

  it('keeps the progress of the process that took over a job', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow = new RecordingJob('taken', async () => released.then(() => ({ done: 100, cursor: 'far' })));
    const running = addRunnerWith(slow).runDue();
    await waitUntil(() => slow.cursors.length === 1, { describe: 'the job runs' });
    // The process was frozen: it renewed nothing, and another one took over the job.
    fixture.clock.advance(LEASE_MS);
    const fast = new RecordingJob('taken', async () => ({ done: 1, cursor: null }));
    expect(await addRunnerWith(fast).runDue()).toBe(1);
    release();
    await running;
    expect(await statusOf('taken')).toMatchObject({ done: 1, isInProgress: false });
    expect(await fixture.count('memory_llm_maintenance_runs_total', 'outcome="lost"')).toBe(1);
  });

  it('delays a job longer after each failure and shows the last error without its message', async () => {
    const job = new RecordingJob('fails', async (_, count) => {
      if (count < 3) throw new TypeError('Ada lives in Bern');
      return { done: 1, cursor: null };
    });
    const runner = addRunnerWith(job);
    expect(await runner.runDue()).toBe(1);
    fixture.clock.advance(1_000);
    expect(await runner.runDue()).toBe(1);
    fixture.clock.advance(1_999);
    expect(await runner.runDue()).toBe(0);
    expect(await statusOf('fails')).toMatchObject({ failures: 2, lastError: 'TypeError' });
    fixture.clock.advance(1);
    expect(await runner.runDue()).toBe(1);
    expect(await statusOf('fails')).toMatchObject({ failures: 0, lastError: 'TypeError', done: 1 });
    expect(fixture.log.filter((line) => line.includes('maintenance_run_failed'))).toHaveLength(2);
    expect(fixture.log.join()).not.toContain('Bern');
  });

  it('exports failures and age of a job as gauges', async () => {
    const runner = addRunnerWith(new RecordingJob('scraped', done));
    runner.start();
    expect(await runner.runDue()).toBe(1);
    fixture.clock.advance(5_000);
    expect(await fixture.count('memory_llm_maintenance_failures', 'task="scraped"')).toBe(0);
    expect(await fixture.count('memory_llm_maintenance_age_ms', 'task="scraped"')).toBe(5_000);
  });

  it('counts a partly failed run as failed and continues from its cursor', async () => {
    const job = new RecordingJob('partly', async (_, count) =>
      count === 1 ? { done: 5, cursor: 'next', problem: new RangeError('one row') } : { done: 5, cursor: null },
    );
    const runner = addRunnerWith(job);
    expect(await runner.runDue()).toBe(1);
    fixture.clock.advance(1_000);
    expect(await runner.runDue()).toBe(1);
    expect(job.cursors).toEqual([null, 'next']);
    expect(await statusOf('partly')).toMatchObject({ done: 10, failures: 0, lastError: 'RangeError' });
  });

  it('aborts a job when the process stops and stores its cursor', async () => {
    const job = new RecordingJob(
      'stopped',
      ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ done: 7, cursor: 'here' }))),
    );
    const runner = addRunnerWith(job);
    const running = runner.runDue();
    await waitUntil(() => job.cursors.length === 1, { describe: 'the job runs' });
    await runner.stop();
    expect(await running).toBe(1);
    const next = new RecordingJob('stopped', done);
    expect(await addRunnerWith(next).runDue()).toBe(1);
    expect(next.cursors).toEqual(['here']);
  });

  it('rejects two jobs with the same name', () => {
    expect(() => addRunnerWith(new RecordingJob('duplicate', done), new RecordingJob('duplicate', done))).toThrow(
      'two maintenance jobs',
    );
  });
});
