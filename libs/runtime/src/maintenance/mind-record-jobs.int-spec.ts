import { drawEnergy, endMindRun, markMindRunUndone, readSubjectOfUser, startMindRun, type Tx } from '@annals/storage';
import { createEnergyJob, createFingerprintsJob, createMindRunsJob } from './jobs/mind-record-jobs.js';
import { MaintenanceFixture } from './maintenance.fixture.js';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION = { mindRecordsRetentionMs: 90 * DAY_MS, intervalMs: HOUR_MS };

describe('jobs that delete records of minds', () => {
  let fixture: MaintenanceFixture;

  beforeAll(async () => {
    fixture = await MaintenanceFixture.open();
  });
  afterAll(() => fixture.close());

  async function addUser(tenantId: string, userId: string): Promise<string> {
    const at = new Date(fixture.clock.now());
    return fixture.database.inTenant(tenantId, async (tx) => {
      await tx.execute('INSERT INTO users (user_id, created_at) VALUES ($1, $2)', [userId, at]);
      return (await readSubjectOfUser(tx, userId))!;
    });
  }

  type State = 'done' | 'unchanged' | 'failed' | 'deferred' | 'undone' | 'running';

  async function addRun(tx: Tx, userId: string, subjectId: string, state: State): Promise<void> {
    const id = fixture.ids.next();
    const now = fixture.clock.now();
    const run = { id, kind: 'insights', subjectId, userId, trigger: 'batch', isDryRun: false, startedAt: now } as const;
    await startMindRun(tx, run);
    if (state === 'running') return;
    const ended = state === 'undone' ? 'done' : state;
    await endMindRun(tx, { id, state: ended, watermark: null, counts: {}, endedAt: now });
    if (state === 'undone') await markMindRunUndone(tx, id);
  }

  const states = async (tenantId: string) => {
    const rows = await fixture.query<{ state: string; runs: number }>(
      tenantId,
      'SELECT state, count(*)::integer AS runs FROM mind_runs GROUP BY state',
    );
    return Object.fromEntries(rows.map(({ state, runs }) => [state, runs]));
  };

  it('delete what ended before the retention, of every tenant, and leave what is not over', async () => {
    const runner = fixture.addRunner();
    runner.add(createMindRunsJob(RETENTION));
    const [one, two] = [await fixture.addTenant('one'), await fixture.addTenant('two')];
    const [ada, bob] = [await addUser(one, 'ada'), await addUser(two, 'bob')];
    // More than one page.
    await fixture.database.inTenant(one, async (tx) => {
      for (let count = 0; count < 520; count += 1) await addRun(tx, 'ada', ada, 'done');
    });
    await fixture.database.inTenant(two, async (tx) => {
      for (const state of ['done', 'unchanged', 'failed', 'undone', 'deferred', 'running'] as const)
        await addRun(tx, 'bob', bob, state);
    });
    fixture.clock.advance(DAY_MS);
    await fixture.database.inTenant(two, (tx) => addRun(tx, 'bob', bob, 'done'));
    fixture.clock.advance(89 * DAY_MS);
    await runner.runDue();
    expect([await states(one), await states(two)]).toEqual([
      { done: 520 },
      { done: 2, unchanged: 1, failed: 1, undone: 1, deferred: 1, running: 1 },
    ]);
    fixture.clock.advance(HOUR_MS);
    await runner.runDue();
    expect([await states(one), await states(two)]).toEqual([{}, { done: 1, deferred: 1, running: 1 }]);
    expect(await fixture.count('memory_llm_maintenance_done_total', 'task="mind_runs"')).toBe(524);
  });

  it('delete decisions about pairs that no longer stand', async () => {
    const tenantId = await fixture.addTenant('three');
    await addUser(tenantId, 'ada');
    const now = fixture.clock.now();
    await fixture.database.inTenant(tenantId, (tx) =>
      tx.execute(
        `INSERT INTO consolidation_fingerprints (user_id, fingerprint, expires_at)
         SELECT 'ada', n::text, CASE WHEN n <= 1200 THEN $1::timestamptz ELSE $2 END FROM generate_series(1, 1203) n`,
        [new Date(now), new Date(now + 1)],
      ),
    );
    const runner = fixture.addRunner();
    runner.add(createFingerprintsJob(RETENTION));
    await runner.runDue();
    expect(await fixture.query(tenantId, 'SELECT count(*)::integer AS left FROM consolidation_fingerprints')).toEqual([
      { left: 3 },
    ]);
  });

  it('delete sums of energy of days before the retention', async () => {
    const tenantId = await fixture.addTenant('four');
    const limits = { capacity: 1_000, refillPerHour: 100 };
    const draw = () =>
      fixture.database.inTenant(tenantId, (tx) =>
        drawEnergy(tx, { kind: 'insights', units: 8, now: fixture.clock.now(), limits }),
      );
    await draw();
    fixture.clock.advance(DAY_MS);
    await draw();
    const kept = new Date(fixture.clock.now()).toISOString().slice(0, 10);
    fixture.clock.advance(90 * DAY_MS);
    const runner = fixture.addRunner();
    runner.add(createEnergyJob(RETENTION));
    await runner.runDue();
    expect(await fixture.query(tenantId, 'SELECT day::text FROM energy_usage')).toEqual([{ day: kept }]);
    expect(await fixture.query(tenantId, 'SELECT consumed_milli::integer FROM energy_meters')).toEqual([
      { consumed_milli: 16_000 },
    ]);
  });
});
