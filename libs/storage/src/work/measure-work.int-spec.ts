import { WORK_KINDS } from '@annals/contracts';
import type { Database } from '../database/database.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { addWaitingWork } from '../fixtures/waiting-rows.fixture.js';
import { measureWork } from './measure-work.js';
import { PostgresWorkStore } from './postgres-work-store.js';

const MINUTE = 60_000;
/** How long before the present the fixture's only row became due. */
const BEFORE = 1;

describe('measureWork', () => {
  let fixture: StorageFixture;
  let store: PostgresWorkStore;

  beforeEach(async () => {
    fixture = await StorageFixture.open();
    store = new PostgresWorkStore(fixture.database);
  });
  afterEach(() => fixture.close());

  const now = () => fixture.clock.now();
  const measure = async (kind = 'extraction') =>
    (await measureWork(fixture.database, now())).find((load) => load.kind === kind);
  const lease = async (limit: number) =>
    (await store.lease({ now: now(), limit, perTenant: 10, leaseMs: MINUTE })).rows;
  const nextDueAt = async () => (await store.lease({ now: now(), limit: 1, perTenant: 0, leaseMs: 1 })).nextDueAt;

  it('returns every kind in a fixed order, with zeros where nothing is due', async () => {
    const loads = await measureWork(fixture.database, now());
    expect(loads.map(({ kind }) => kind)).toEqual(WORK_KINDS);
    for (const { kind, ...load } of loads) expect([kind, ...new Set(Object.values(load))]).toEqual([kind, 0]);
  });

  it('measures the age of the oldest due row until it is finished, waiting or in flight', async () => {
    await addWaitingWork(fixture, await fixture.addTenant(), 1);
    fixture.clock.advance(3 * MINUTE);
    expect(await measure()).toMatchObject({
      due: 1,
      inFlight: 0,
      oldestDueMs: 3 * MINUTE + BEFORE,
      oldestInFlightMs: 0,
    });
    await store.markReleased(await lease(1), now());
    fixture.clock.advance(2 * MINUTE);
    expect(await measure()).toMatchObject({
      due: 0,
      inFlight: 1,
      oldestDueMs: 5 * MINUTE + BEFORE,
      oldestInFlightMs: 2 * MINUTE,
    });
    await addWaitingWork(fixture, await fixture.addTenant(), 1);
    expect(await measure()).toMatchObject({
      due: 1,
      inFlight: 1,
      oldestDueMs: 5 * MINUTE + BEFORE,
      oldestInFlightMs: 2 * MINUTE,
    });
  });

  it('does not count the age of what is scheduled', async () => {
    await addWaitingWork(fixture, await fixture.addTenant(), 2);
    await fixture.queryAsSuperuser('UPDATE work SET available_at = available_at + $1::interval, is_scheduled = true', [
      '1 h',
    ]);
    expect(await measure()).toMatchObject({ due: 0, scheduled: 2, oldestDueMs: 0 });
    expect(await nextDueAt()).toBeGreaterThan(now());
    fixture.clock.advance(61 * MINUTE);
    expect(await measure()).toMatchObject({ due: 2, scheduled: 0, oldestDueMs: MINUTE + 2 * BEFORE });
  });

  it('finds the next due time over all kinds', async () => {
    const tenantId = await fixture.addTenant();
    await addWaitingWork(fixture, tenantId, 3);
    await fixture.queryAsSuperuser(
      `UPDATE work w SET kind = o.kind, available_at = available_at + o.at, is_scheduled = true
         FROM (SELECT id, (ARRAY['extraction', 'persistence', 'vectors'])[row_number() OVER (ORDER BY id)] AS kind,
                      (ARRAY[interval '3 h', interval '1 h', interval '2 h'])[row_number() OVER (ORDER BY id)] AS at
                 FROM work) o WHERE o.id = w.id`,
    );
    const [first] = await fixture.queryAsSuperuser<{ at: Date }>('SELECT min(available_at) AS at FROM work');
    expect(await nextDueAt()).toBe(first!.at.getTime());
  });
});

describe('measureWork with a long queue', () => {
  const BACKLOG = 5_000;
  let fixture: StorageFixture;
  let database: Database;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    // One connection, so that its statistics can be flushed.
    database = await fixture.openAnother({ poolSize: 1 });
    await addWaitingWork(fixture, await fixture.addTenant(), BACKLOG);
    await fixture.queryAsSuperuser('VACUUM ANALYZE work');
  });
  afterAll(() => fixture.close());

  const countReads = async (): Promise<number> => {
    await database.callAcrossTenants('measure_work', [[], new Date(0), 0]);
    await fixture.queryAsSuperuser('SELECT pg_stat_force_next_flush()');
    const [row] = await fixture.queryAsSuperuser<{ reads: string }>(
      `SELECT t.seq_tup_read + (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid) AS reads
         FROM pg_stat_user_tables t WHERE t.relid = 'annals.work'::regclass`,
    );
    return Number(row!.reads);
  };

  it('reads no more rows of a state than it is to count, and none of another kind for the oldest', async () => {
    const before = await countReads();
    const kinds = ['extraction', 'persistence', 'vectors'];
    const [extraction, ...others] = await database.callAcrossTenants<{ due: string }>('measure_work', [
      kinds,
      new Date(fixture.clock.now()),
      100,
    ]);
    expect(extraction).toMatchObject({ kind: 'extraction', due: '100' });
    expect(others).toMatchObject([{ due: '0' }, { due: '0' }]);
    expect((await countReads()) - before).toBeLessThan(300);
  });
});
