import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { addWaitingWork } from '../fixtures/waiting-rows.fixture.js';
import type { Database } from '../database/database.js';
import { enqueueWork } from './enqueue-work.js';
import { measureWork } from './measure-work.js';
import { PostgresWorkStore } from './postgres-work-store.js';

const TENANTS = 20;
const PER_TENANT = 10;
const BACKLOG = 5_000;
/** Far below the backlog, and well above what any call needs for the rows it returns. */
const MAX_READS = BACKLOG / 10;

describe('PostgresWorkStore with a long queue of one tenant', () => {
  let fixture: StorageFixture;
  let database: Database;
  let store: PostgresWorkStore;
  let busy: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    // One connection, so that its statistics can be flushed.
    database = await fixture.openAnother({ poolSize: 1 });
    store = new PostgresWorkStore(database);
    busy = await fixture.addTenant();
    await addWaitingWork(fixture, busy, BACKLOG);
    for (let n = 0; n < TENANTS; n++) await addWaitingWork(fixture, await fixture.addTenant(), 1);
    await vacuum();
  });
  afterAll(() => fixture.close());

  /** Also flushes the reads of the preparation, so that they do not count as the cost of a call. */
  const vacuum = async (): Promise<void> => {
    await fixture.queryAsSuperuser('VACUUM ANALYZE work');
    await fixture.queryAsSuperuser('SELECT pg_stat_force_next_flush()');
  };
  /** Rows and index entries of the table read so far, as PostgreSQL counts them. */
  const countReads = async (): Promise<number> => {
    await database.inTenant(busy, (tx) => tx.query('SELECT pg_stat_force_next_flush()'));
    const [row] = await fixture.queryAsSuperuser<{ reads: string }>(
      `SELECT t.seq_tup_read + (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid) AS reads
         FROM pg_stat_user_tables t WHERE t.relid = 'annals.work'::regclass`,
    );
    return Number(row!.reads);
  };
  const measure = async <T>(work: () => Promise<T>): Promise<{ reads: number; result: T }> => {
    const before = await countReads();
    const result = await work();
    return { result, reads: (await countReads()) - before };
  };
  const lease = (limit: number) =>
    store.lease({ now: fixture.clock.now(), limit, perTenant: PER_TENANT, leaseMs: 60_000 });

  it('serves every tenant at a cost proportional to the rows it returns, from lease to sweep', async () => {
    expect((await measure(() => fixture.queryAsSuperuser('SELECT 1'))).reads).toBe(0);
    const whole = await measure(() => database.inTenant(busy, (tx) => tx.query('SELECT count(*) FROM work')));
    expect(whole.reads).toBeGreaterThanOrEqual(BACKLOG);

    const leased = await measure(() => lease(1_000));
    const { rows } = leased.result;
    expect(rows).toHaveLength(TENANTS + PER_TENANT);
    expect(new Set(rows.map((row) => row.tenantId)).size).toBe(TENANTS + 1);

    const marked = await measure(() => store.markReleased(rows, fixture.clock.now()));
    const empty = await measure(() => lease(1_000));
    expect(empty.result.rows).toEqual([]);

    const now = fixture.clock.now();
    const found = await measure(() =>
      store.findSuspects({ now, releasedBefore: now, recheckAfterMs: 1_000, limit: 1_000 }),
    );
    expect(found.result).toHaveLength(rows.length);
    const returned = await measure(() => store.returnToWaiting(rows, now));
    expect(returned.result).toBe(rows.length);

    const reads = { leased, marked, empty, found, returned };
    const tooMany = Object.entries(reads).filter(([, call]) => call.reads > MAX_READS);
    expect(tooMany.map(([name, call]) => `${name}: ${call.reads}`)).toEqual([]);
  });

  it('does not read boosted work that is not due yet', async () => {
    const soon = new Date(fixture.clock.now() + INTERACTIVE_PRIORITY_BOOST_MS / 2);
    await fixture.queryAsSuperuser(
      `UPDATE work SET available_at = $2, rank_at = $2::timestamptz - interval '60 s' WHERE tenant_id = $1`,
      [busy, soon],
    );
    await vacuum();
    const leased = await measure(() => lease(1_000));
    expect(leased.result.rows.map((row) => row.tenantId)).not.toContain(busy);
    expect(leased.reads).toBeLessThan(MAX_READS);
  });

  it('does not check every waiting tenant before it returns a few rows', async () => {
    const tenants = 150;
    for (let n = 0; n < tenants; n++) await addWaitingWork(fixture, await fixture.addTenant(), 1);
    await vacuum();
    const leased = await measure(() => lease(5));
    expect(leased.result.rows).toHaveLength(5);
    expect(leased.reads).toBeLessThan(tenants);
  });

  it('passes by the tenants whose work is for later, until it is due', async () => {
    await fixture.queryAsSuperuser('TRUNCATE work');
    const { clock, ids } = fixture;
    const tomorrow = clock.now() + 24 * 3_600_000;
    const request = { kind: 'vectors', subjectId: ids.next(), availableAt: tomorrow, trace: null } as const;
    await database.inTenant(busy, (tx) => enqueueWork(tx, [request], { now: clock.now(), ids }));
    await fixture.queryAsSuperuser(
      `WITH made AS (
         INSERT INTO tenants (tenant_id, name, created_at)
         SELECT gen_random_uuid(), 'scheduled ' || n, $1 FROM generate_series(2, 1000) n RETURNING tenant_id)
       INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, is_scheduled, created_at)
       SELECT made.tenant_id, gen_random_uuid(), w.kind, w.subject_id, 1, w.available_at, w.rank_at, w.is_scheduled, $1
         FROM made, work w`,
      [new Date(clock.now())],
    );
    await addWaitingWork(fixture, busy, 1);
    await vacuum();

    const leased = await measure(() => lease(1_000));
    expect(leased.result.rows).toMatchObject([{ kind: 'extraction', tenantId: busy }]);
    expect(leased.reads).toBeLessThan(100);

    clock.advance(24 * 3_600_000);
    expect((await lease(2_000)).rows.filter(({ kind }) => kind === 'vectors')).toHaveLength(1_000);
    expect(await measureWork(database, clock.now())).toContainEqual(
      expect.objectContaining({ kind: 'vectors', due: 1_000, scheduled: 0 }),
    );
  });
});
