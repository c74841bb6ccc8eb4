import { recordEvents } from '@annals/storage';
import { newEvent } from '@annals/testing';
import { createEventsJob } from './jobs/retention-jobs.js';
import { MaintenanceFixture } from './maintenance.fixture.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;

describe('events job', () => {
  let fixture: MaintenanceFixture;

  beforeAll(async () => {
    fixture = await MaintenanceFixture.open();
  });
  afterAll(() => fixture.close());

  const record = (tenantId: string, count: number) =>
    fixture.database.inTenant(tenantId, (tx) =>
      recordEvents(
        tx,
        Array.from({ length: count }, () => newEvent(fixture.ids.next(), fixture.clock.now())),
      ),
    );
  const count = async (tenantId: string) => {
    const [row] = await fixture.query<{ events: number }>(tenantId, 'SELECT count(*)::integer AS events FROM events');
    return row!.events;
  };

  it('deletes the events of every tenant after their retention, and no others', async () => {
    const runner = fixture.addRunner();
    runner.add(createEventsJob({ eventsRetentionMs: 90 * DAY_MS, intervalMs: HOUR_MS }));
    const [one, two] = [await fixture.addTenant('one'), await fixture.addTenant('two')];
    // More events than one batch deletes.
    await record(one, 2_300);
    await record(two, 3);
    fixture.clock.advance(DAY_MS);
    await record(two, 5);
    fixture.clock.advance(89 * DAY_MS);
    await runner.runDue();
    expect([await count(one), await count(two)]).toEqual([2_300, 8]);
    fixture.clock.advance(HOUR_MS);
    await runner.runDue();
    expect([await count(one), await count(two)]).toEqual([0, 5]);
    fixture.clock.advance(DAY_MS);
    await runner.runDue();
    expect(await count(two)).toBe(0);
    expect(await fixture.count('memory_llm_maintenance_done_total', 'task="events"')).toBe(2_308);
  });

  it('stops when its time budget is used up and continues in the next run', async () => {
    const tenant = await fixture.addTenant('three');
    await record(tenant, 1_500);
    fixture.clock.advance(2 * DAY_MS);
    const job = createEventsJob({ eventsRetentionMs: DAY_MS, intervalMs: HOUR_MS });
    const { database, clock } = fixture;
    const { signal } = new AbortController();
    const stopped = await job.run({ database, clock, signal, cursor: null, budgetMs: 0 });
    expect([stopped, await count(tenant)]).toEqual([{ done: 0, cursor: 'more' }, 1_500]);
    const rest = await job.run({ database, clock, signal, cursor: stopped.cursor, budgetMs: 60_000 });
    expect([rest, await count(tenant)]).toEqual([{ done: 1_500, cursor: null }, 0]);
  });
});
