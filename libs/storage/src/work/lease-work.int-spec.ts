import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import { post, WINDOW_MS } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { addWaitingWork } from '../fixtures/waiting-rows.fixture.js';
import { measureWork } from './measure-work.js';
import { type LeasedEntry, type WorkEntry, PostgresWorkStore } from './postgres-work-store.js';

const LEASE_MS = 30_000;

describe('PostgresWorkStore.lease', () => {
  let fixture: StorageFixture;
  let store: PostgresWorkStore;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    store = new PostgresWorkStore(fixture.database);
  });
  beforeEach(() => fixture.queryAsSuperuser('TRUNCATE work'));
  afterAll(() => fixture.close());

  const lease = (limit: number, perTenant = 100, from = store) =>
    from.lease({ now: fixture.clock.now(), limit, perTenant, leaseMs: LEASE_MS });
  const leaseRows = async (limit: number, perTenant = 100, from = store) => (await lease(limit, perTenant, from)).rows;
  const markReleased = (rows: readonly WorkEntry[]) => store.markReleased(rows, fixture.clock.now());
  const addTenantWith = async (count: number) => {
    const tenant = await fixture.addTenant();
    await addWaitingWork(fixture, tenant, count);
    return tenant;
  };
  const tenantsOf = (rows: readonly WorkEntry[]) => rows.map((row) => row.tenantId);
  const idsOf = (rows: readonly WorkEntry[]) => rows.map((row) => row.id);

  it('returns ids of due work, and nothing else', async () => {
    const tenant = await fixture.addTenant();
    const { batchIds } = await post(fixture, tenant, { windowMs: 0, trace: '00-trace' });
    expect(await leaseRows(10)).toEqual([
      {
        id: expect.any(String),
        tenantId: tenant,
        kind: 'extraction',
        subjectId: batchIds[0],
        generation: 1,
        trace: '00-trace',
        lane: 0,
        bulk: false,
      },
    ]);
  });

  it('waits for the window of a batch, and returns when that ends', async () => {
    await post(fixture, await fixture.addTenant());
    fixture.clock.advance(100);
    await post(fixture, await fixture.addTenant());
    expect(await lease(10)).toEqual({ rows: [], nextDueAt: fixture.clock.now() - 100 + WINDOW_MS });
    fixture.clock.advance(WINDOW_MS - 100);
    expect(await lease(10)).toMatchObject({ rows: [{}], nextDueAt: null });
  });

  it('returns no next due time when no work waits', async () => {
    expect(await lease(10)).toEqual({ rows: [], nextDueAt: null });
  });

  it('serves tenants round-robin, regardless of backlog and order of arrival', async () => {
    const [long, short, single] = [await addTenantWith(50), await addTenantWith(3), await addTenantWith(1)];
    const rows = await leaseRows(9);
    expect(new Set(tenantsOf(rows.slice(0, 3)))).toEqual(new Set([long, short, single]));
    expect(new Set(tenantsOf(rows.slice(3, 5)))).toEqual(new Set([long, short]));
    expect(tenantsOf(rows).filter((tenant) => tenant === short)).toHaveLength(3);
    expect(tenantsOf(rows).filter((tenant) => tenant === long)).toHaveLength(5);
  });

  it('continues with the next tenants when there are more than fit into one round', async () => {
    const tenants = await Promise.all(Array.from({ length: 10 }, () => addTenantWith(5)));
    const fresh = new PostgresWorkStore(fixture.database);
    const rounds: string[] = [];
    for (let round = 0; round < 5; round++) rounds.push(...tenantsOf(await leaseRows(4, 100, fresh)));
    const turns = Map.groupBy(rounds, (tenant) => tenant);
    expect(tenants.map((tenant) => turns.get(tenant)?.length)).toEqual(tenants.map(() => 2));
  });

  it('returns the work of one tenant in order of rank', async () => {
    const tenant = await addTenantWith(20);
    const rows = await leaseRows(20);
    const ranked = await fixture.queryAsSuperuser<{ id: string }>(
      'SELECT id FROM work WHERE tenant_id = $1 ORDER BY rank_at',
      [tenant],
    );
    expect(idsOf(rows)).toEqual(ranked.map((row) => row.id));
  });

  it('returns how many rows of its tenant and kind are ahead of a row, in flight, leased or waiting', async () => {
    const [busy, other] = [await addTenantWith(7), await addTenantWith(2)];
    const lanesOf = (rows: readonly LeasedEntry[], tenant: string) =>
      rows.filter((row) => row.tenantId === tenant).map((row) => row.lane);
    const first = await leaseRows(4);
    expect([lanesOf(first, busy), lanesOf(first, other)]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    await markReleased(first);
    expect(lanesOf(await leaseRows(2), busy)).toEqual([2, 3]);
    expect(lanesOf(await leaseRows(100), busy)).toEqual([4, 5, 6]);
  });

  describe('with bulk work', () => {
    const postAs = (tenant: string, priority: 'interactive' | 'bulk') =>
      post(fixture, tenant, { priority, threadId: null, windowMs: 0 });

    it('marks it, and releases interactive work before bulk work that is older by less than the boost', async () => {
      const tenant = await fixture.addTenant();
      const old = await postAs(tenant, 'bulk');
      fixture.clock.advance(1);
      const young = await postAs(tenant, 'bulk');
      fixture.clock.advance(INTERACTIVE_PRIORITY_BOOST_MS - 1);
      const boosted = await postAs(tenant, 'interactive');
      const last = await postAs(tenant, 'bulk');
      const rows = await leaseRows(10);
      expect(rows.map((row) => [row.subjectId, row.bulk])).toEqual(
        // Of two rows with the same rank, the older comes first.
        [
          [old.batchIds[0], true],
          [boosted.batchIds[0], false],
          [young.batchIds[0], true],
          [last.batchIds[0], true],
        ],
      );
    });

    it('releases due bulk work while interactive work of its tenant is not due yet', async () => {
      const tenant = await fixture.addTenant();
      await post(fixture, tenant, { threadId: null, windowMs: 30_000 });
      const { batchIds } = await postAs(tenant, 'bulk');
      expect((await leaseRows(10, 1)).map((row) => row.subjectId)).toEqual(batchIds);
    });

    it('ignores bulk work ahead of interactive work of the same tenant', async () => {
      const tenant = await fixture.addTenant();
      for (let n = 0; n < 5; n++) await postAs(tenant, 'bulk');
      const bulk = await leaseRows(100);
      await markReleased(bulk);
      for (let n = 0; n < 2; n++) await postAs(tenant, 'interactive');
      await postAs(tenant, 'bulk');
      const rows = await leaseRows(100);
      expect(rows.map((row) => [row.bulk, row.lane])).toEqual([
        [false, 0],
        [false, 1],
        [true, 7],
      ]);
      await markReleased(rows);
      await postAs(tenant, 'interactive');
      expect((await leaseRows(100)).map((row) => row.lane)).toEqual([2]);
    });

    it('counts both priorities towards the limit of a tenant', async () => {
      const tenant = await fixture.addTenant();
      for (let n = 0; n < 3; n++) await postAs(tenant, n === 1 ? 'bulk' : 'interactive');
      expect((await leaseRows(10, 2)).map((row) => row.bulk)).toEqual([false, false]);
      expect(await leaseRows(10, 2)).toEqual([]);
      expect((await leaseRows(10, 3)).map((row) => [row.bulk, row.lane])).toEqual([[true, 2]]);
    });
  });

  it('counts the kinds of a tenant separately', async () => {
    const tenant = await addTenantWith(4);
    await fixture.queryAsSuperuser(
      `UPDATE work SET kind = 'persistence'
        WHERE id IN (SELECT id FROM work WHERE tenant_id = $1 ORDER BY rank_at LIMIT 2)`,
      [tenant],
    );
    const rows = await leaseRows(10, 1);
    expect(rows.map((row) => row.kind).toSorted()).toEqual(['extraction', 'persistence']);
  });

  it('gives a tenant no more rows than `perTenant`, including those in the queues', async () => {
    const [busy, other] = [await addTenantWith(10), await addTenantWith(10)];
    const first = await leaseRows(100, 3);
    expect(tenantsOf(first).toSorted()).toEqual([busy, busy, busy, other, other, other].toSorted());
    await markReleased(first);
    expect(await leaseRows(100, 3)).toEqual([]);
    const done = first.find((row) => row.tenantId === busy)!;
    await fixture.queryAsSuperuser('DELETE FROM work WHERE id = $1', [done.id]);
    expect(tenantsOf(await leaseRows(100, 3))).toEqual([busy]);
  });

  it('counts rows that another relay has leased but not yet released', async () => {
    await addTenantWith(10);
    expect(await leaseRows(2, 3)).toHaveLength(2);
    expect(await leaseRows(100, 3)).toHaveLength(1);
    expect(await leaseRows(100, 3)).toHaveLength(0);
    fixture.clock.advance(LEASE_MS);
    expect(await leaseRows(100, 3)).toHaveLength(3);
  });

  it('never leases a row to two relays', async () => {
    await Promise.all(Array.from({ length: 6 }, () => addTenantWith(30)));
    const stores = await Promise.all(
      Array.from({ length: 4 }, async () => new PostgresWorkStore(await fixture.openAnother({ poolSize: 2 }))),
    );
    const leased: WorkEntry[] = [];
    let round: WorkEntry[];
    do {
      round = (await Promise.all(stores.flatMap((from) => [leaseRows(7, 20, from), leaseRows(7, 20, from)]))).flat();
      leased.push(...round);
    } while (round.length > 0);
    expect(new Set(idsOf(leased)).size).toBe(leased.length);
    const perTenant = Map.groupBy(leased, (row) => row.tenantId);
    expect([...perTenant.values()].map((rows) => rows.length)).toEqual(Array<number>(6).fill(20));
  });

  it('leases a row again once the lease of a crashed relay has expired', async () => {
    await addTenantWith(1);
    const [row] = await leaseRows(10);
    fixture.clock.advance(LEASE_MS - 1);
    expect(await leaseRows(10)).toEqual([]);
    fixture.clock.advance(1);
    expect(await leaseRows(10)).toEqual([row]);
  });

  describe('markReleased', () => {
    it('removes rows from the waiting ones', async () => {
      await addTenantWith(3);
      await markReleased(await leaseRows(2));
      expect((await measureWork(fixture.database, fixture.clock.now()))[0]).toMatchObject({
        kind: 'extraction',
        due: 1,
        scheduled: 0,
        inFlight: 2,
        failed: 0,
      });
      fixture.clock.advance(LEASE_MS);
      expect(await leaseRows(10)).toHaveLength(1);
    });

    it('keeps the time of the first release, and skips rows of a later generation', async () => {
      await addTenantWith(1);
      const rows = await leaseRows(1);
      const releasedAt = new Date(fixture.clock.now());
      await markReleased(rows);
      fixture.clock.advance(1_000);
      await markReleased(rows);
      expect(await fixture.queryAsSuperuser('SELECT released_at, leased_until FROM work')).toEqual([
        { released_at: releasedAt, leased_until: null },
      ]);
      await fixture.queryAsSuperuser('UPDATE work SET released_at = NULL, generation = 2');
      await markReleased(rows);
      expect(await fixture.queryAsSuperuser('SELECT released_at FROM work')).toEqual([{ released_at: null }]);
    });

    it('does nothing without rows', async () => {
      await expect(markReleased([])).resolves.toBeUndefined();
    });
  });
});
