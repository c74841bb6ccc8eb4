import { claimBatch, releaseBatch } from '../batches/claim-batch.js';
import { addDueBatch } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { countRecentBatchOutcomes, type WorkEntry, PostgresWorkStore } from './postgres-work-store.js';

const AGE_MS = 60_000;
const RECHECK_MS = 20_000;

describe('sweeping PostgresWorkStore', () => {
  let fixture: StorageFixture;
  let store: PostgresWorkStore;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    store = new PostgresWorkStore(fixture.database);
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('TRUNCATE work');
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const findSuspects = (limit = 100) => {
    const now = fixture.clock.now();
    return store.findSuspects({ now, releasedBefore: now - AGE_MS, recheckAfterMs: RECHECK_MS, limit });
  };
  const returnToWaiting = (rows: readonly WorkEntry[]) => store.returnToWaiting(rows, fixture.clock.now());
  const leaseRows = async () => {
    const { rows } = await store.lease({ now: fixture.clock.now(), limit: 100, perTenant: 100, leaseMs: 1_000 });
    return rows.map(({ lane: _lane, bulk: _bulk, ...row }): WorkEntry => row);
  };
  /** One batch whose job has been in the queue for long enough to be suspect. */
  const addSuspect = async () => {
    await addDueBatch(fixture, tenant);
    const rows = await leaseRows();
    await store.markReleased(rows, fixture.clock.now());
    fixture.clock.advance(AGE_MS);
    return rows[0]!;
  };
  const claim = (row: WorkEntry, leaseMs: number) =>
    fixture.inTenant(row.tenantId, (tx) =>
      claimBatch(tx, {
        kind: 'extraction',
        batchId: row.subjectId,
        generation: row.generation,
        now: fixture.clock.now(),
        leaseMs,
      }),
    );
  const readRow = async () => (await fixture.queryAsSuperuser('SELECT * FROM work'))[0]!;

  it('suspects work that was released long ago, not earlier, and no waiting work', async () => {
    await addDueBatch(fixture, tenant);
    await store.markReleased(await leaseRows(), fixture.clock.now());
    const released = await readRow();
    await addDueBatch(fixture, tenant);
    fixture.clock.advance(AGE_MS - 1);
    expect(await findSuspects()).toEqual([]);
    fixture.clock.advance(1);
    expect((await findSuspects()).map((row) => row.id)).toEqual([released['id']]);
  });

  it('does not suspect a batch that a live worker holds', async () => {
    const row = await addSuspect();
    const claimed = await claim(row, 5_000);
    expect(await findSuspects()).toEqual([]);
    fixture.clock.advance(5_000);
    expect(await findSuspects()).toEqual([row]);
    expect(claimed.outcome).toBe('claimed');
  });

  it('suspects a batch immediately after its worker has released it', async () => {
    const row = await addSuspect();
    const claimed = await claim(row, 5_000);
    if (claimed.outcome !== 'claimed') throw new Error('The batch should be free.');
    await fixture.inTenant(tenant, (tx) => releaseBatch(tx, { batchId: row.subjectId, fence: claimed.fence }));
    expect(await findSuspects()).toEqual([row]);
  });

  it('returns a suspect to one caller, and again only after `recheckAfterMs`', async () => {
    const row = await addSuspect();
    const found = await Promise.all([findSuspects(), findSuspects(), findSuspects()]);
    expect(found.flat()).toEqual([row]);
    fixture.clock.advance(RECHECK_MS - 1);
    expect(await findSuspects()).toEqual([]);
    fixture.clock.advance(1);
    expect(await findSuspects()).toEqual([row]);
  });

  it('returns suspects in order of their release, up to the limit', async () => {
    const first = await addSuspect();
    const second = await addSuspect();
    expect(await findSuspects(1)).toEqual([first]);
    expect(await findSuspects(1)).toEqual([second]);
  });

  it('sets work back to waiting under the next generation, of the row and of its batch', async () => {
    const row = await addSuspect();
    await findSuspects();
    expect(await returnToWaiting([row])).toBe(1);
    expect(await readRow()).toMatchObject({ generation: 2, released_at: null, leased_until: null, checked_at: null });
    expect(await fixture.queryAsSuperuser('SELECT generation FROM batches WHERE id = $1', [row.subjectId])).toEqual([
      { generation: 2 },
    ]);
    expect(await claim(row, 1_000)).toEqual({ outcome: 'stale' });
    expect(await leaseRows()).toEqual([{ ...row, generation: 2 }]);
    expect(await claim({ ...row, generation: 2 }, 1_000)).toMatchObject({ outcome: 'claimed' });
  });

  it('returns a row once, however many sweeps have found it', async () => {
    const row = await addSuspect();
    const returned = await Promise.all([returnToWaiting([row]), returnToWaiting([row]), returnToWaiting([row])]);
    expect(returned.toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
    expect(await readRow()).toMatchObject({ generation: 2 });
  });

  it('does not change rows that still wait or have ended since', async () => {
    await addDueBatch(fixture, tenant);
    const waiting = await leaseRows();
    expect(await returnToWaiting(waiting)).toBe(0);
    expect(await readRow()).toMatchObject({ generation: 1 });
    await fixture.queryAsSuperuser('DELETE FROM work');
    expect(await returnToWaiting(waiting)).toBe(0);
    expect(await returnToWaiting([])).toBe(0);
  });

  it('works across tenants, with each row matched to its own tenant', async () => {
    const first = await addSuspect();
    tenant = await fixture.addTenant();
    const second = await addSuspect();
    expect((await findSuspects()).map((row) => row.tenantId)).toEqual([first.tenantId, second.tenantId]);
    // No row matches the id of one row with the tenant of the other.
    expect(await returnToWaiting([{ ...first, tenantId: second.tenantId }])).toBe(0);
    expect(await returnToWaiting([first, second])).toBe(2);
  });

  it('counts how the batches of all tenants ended recently', async () => {
    const since = fixture.clock.now();
    for (const state of ['done', 'done', 'failed']) {
      tenant = await fixture.addTenant();
      const id = await addDueBatch(fixture, tenant);
      const finish = 'UPDATE batches SET state = $2, finished_at = $3 WHERE id = $1';
      await fixture.queryAsSuperuser(finish, [id, state, new Date(fixture.clock.now())]);
    }
    expect(await countRecentBatchOutcomes(fixture.database, since)).toEqual({ done: 2, failed: 1 });
    expect(await countRecentBatchOutcomes(fixture.database, since + 1)).toEqual({ done: 0, failed: 0 });
  });
});
