import { lockUser } from '../audit/user-chain.js';
import { addDueBatch } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { enqueueWork } from './enqueue-work.js';
import { PostgresWorkStore } from './postgres-work-store.js';

// The embedded database serializes transactions, so the race cannot happen there.
describe("a relay that marks work as released during a worker's commit", () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  it('waits for no row that the worker has locked, so that the two never wait for each other', async () => {
    const store = new PostgresWorkStore(fixture.database);
    const tenant = await fixture.addTenant();
    const now = fixture.clock.now();
    const batchId = await addDueBatch(fixture, tenant);
    const lease = async () =>
      (await store.lease({ now: fixture.clock.now(), limit: 9, perTenant: 9, leaseMs: 1 })).rows;
    const readReleased = () =>
      fixture.queryAsSuperuser('SELECT kind FROM work WHERE released_at IS NOT NULL ORDER BY kind');

    await fixture.inTenant(tenant, async (tx) => {
      const { subjectId } = await lockUser(tx, 'ada', now);
      const request = { kind: 'vectors', subjectId, availableAt: now, trace: null } as const;
      await enqueueWork(tx, [request], { now, ids: fixture.ids });
    });
    const rows = await lease();
    expect(rows).toHaveLength(2);
    // As in the commit of a batch: first the work of the user is asked for, then that of the batch is deleted.
    await fixture.inTenant(tenant, async (tx) => {
      const { subjectId } = rows.find(({ kind }) => kind === 'vectors')!;
      const request = { kind: 'vectors', subjectId, availableAt: now, trace: null } as const;
      await enqueueWork(tx, [request], { now, ids: fixture.ids });
      await store.markReleased(rows, now);
      expect(await readReleased()).toEqual([{ kind: 'extraction' }]);
      await tx.execute('DELETE FROM work WHERE subject_id = $1', [batchId]);
    });

    fixture.clock.advance(1);
    const skipped = await lease();
    expect(skipped).toMatchObject([{ kind: 'vectors', generation: 1 }]);
    await store.markReleased(skipped, now);
    expect(await readReleased()).toEqual([{ kind: 'vectors' }]);
  });
});
