import { claimBatch } from '../batches/claim-batch.js';
import { completeExtraction } from '../batches/complete-extraction.js';
import { addDueBatch } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { PostgresWorkStore } from './postgres-work-store.js';

// The embedded database serializes transactions, so the race cannot happen there.
describe("a sweep that returns work during the worker's commit", () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  it('waits for the worker, and then finds nothing to return', async () => {
    const store = new PostgresWorkStore(fixture.database);
    const tenant = await fixture.addTenant();
    const batchId = await addDueBatch(fixture, tenant);
    const now = fixture.clock.now();
    const { rows } = await store.lease({ now, limit: 1, perTenant: 1, leaseMs: 1_000 });
    await store.markReleased(rows, now);
    const claimed = await fixture.inTenant(tenant, (tx) =>
      claimBatch(tx, { kind: 'extraction', batchId, generation: 1, now, leaseMs: 1_000 }),
    );
    if (claimed.outcome !== 'claimed') throw new Error('The batch should be free.');

    let returned: Promise<number> | undefined;
    const committed = await fixture.inTenant(tenant, async (tx) => {
      await tx.query('SELECT FROM batches WHERE id = $1 FOR UPDATE', [batchId]);
      returned = store.returnToWaiting(rows, now);
      await fixture.waitForLockWaits(1, 'the sweep waits for the worker');
      const nothing = { settlement: null, promptVersion: null, diagnostics: null, prunedMessages: 0 };
      const answer = { provider: 'mock', model: 'mock-1', notice: null, answer: '', items: [], trace: null };
      return completeExtraction(tx, { ...answer, ...nothing, batchId, fence: claimed.fence, now }, fixture.ids);
    });
    expect(committed).toBe('committed');
    expect(await returned).toBe(0);
    expect(await fixture.queryAsSuperuser('SELECT generation, state FROM batches WHERE id = $1', [batchId])).toEqual([
      { generation: 1, state: 'persisting' },
    ]);
    expect(
      await fixture.queryAsSuperuser('SELECT kind, generation FROM work WHERE subject_id = $1', [batchId]),
    ).toEqual([{ kind: 'persistence', generation: 1 }]);
  });
});
