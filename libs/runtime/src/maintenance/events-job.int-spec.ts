import { recordEvents } from '@annals/storage';
import { newEvent } from '@annals/testing';
import { createEventsJob } from './jobs/events-job.js';
import { MaintenanceBench } from './maintenance-bench.contract.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;

describe('the retention of events', () => {
  let bench: MaintenanceBench;

  beforeAll(async () => {
    bench = await MaintenanceBench.open();
  });
  afterAll(() => bench.close());

  const record = (tenantId: string, count: number) =>
    bench.database.inTenant(tenantId, (tx) =>
      recordEvents(
        tx,
        Array.from({ length: count }, () => newEvent(bench.ids.next(), bench.clock.now())),
      ),
    );
  const count = async (tenantId: string) => {
    const [row] = await bench.look<{ events: number }>(tenantId, 'SELECT count(*)::integer AS events FROM events');
    return row!.events;
  };

  it('forgets those of every tenant once their time is over, and no other', async () => {
    const runner = bench.addRunner();
    runner.add(createEventsJob({ eventsKeptMs: 90 * DAY_MS, intervalMs: HOUR_MS }));
    const [one, two] = [await bench.addTenant('one'), await bench.addTenant('two')];
    // More than one piece of work deletes.
    await record(one, 2_300);
    await record(two, 3);
    bench.clock.advance(DAY_MS);
    await record(two, 5);
    bench.clock.advance(89 * DAY_MS);
    await runner.runDue();
    expect([await count(one), await count(two)]).toEqual([2_300, 8]);
    bench.clock.advance(HOUR_MS);
    await runner.runDue();
    expect([await count(one), await count(two)]).toEqual([0, 5]);
    bench.clock.advance(DAY_MS);
    await runner.runDue();
    expect(await count(two)).toBe(0);
    expect(await bench.count('memory_llm_maintenance_done_total', 'job="events"')).toBe(2_308);
  });

  it('deletes no more at once than it may, and goes on from there', async () => {
    const tenant = await bench.addTenant('three');
    await record(tenant, 1_500);
    bench.clock.advance(2 * DAY_MS);
    const job = createEventsJob({ eventsKeptMs: DAY_MS, intervalMs: HOUR_MS });
    const { database, clock } = bench;
    const { signal } = new AbortController();
    const stopped = await job.run({ database, clock, signal, cursor: null, budgetMs: 0 });
    expect([stopped, await count(tenant)]).toEqual([{ done: 0, cursor: 'more' }, 1_500]);
    const rest = await job.run({ database, clock, signal, cursor: stopped.cursor, budgetMs: 60_000 });
    expect([rest, await count(tenant)]).toEqual([{ done: 1_500, cursor: null }, 0]);
  });
});
