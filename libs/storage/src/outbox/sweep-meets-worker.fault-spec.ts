import { waitUntil } from '@annals/testing';
import { claimBatch, completeExtraction } from '../batches/index.js';
import { addDueBatch } from '../contract/post.contract.js';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { PostgresOutboxStore } from './postgres-outbox-store.js';

// The embedded database runs one transaction at a time, so there the two never meet.
describe('a sweep that returns work while a worker commits it', () => {
  let bench: StorageBench;

  beforeAll(async () => {
    bench = await StorageBench.open();
  });
  afterAll(() => bench.close());

  it('waits for the worker, and then finds nothing to return', async () => {
    const store = new PostgresOutboxStore(bench.database);
    const tenant = await bench.addTenant();
    const batchId = await addDueBatch(bench, tenant);
    const now = bench.clock.now();
    const { rows } = await store.lease({ now, limit: 1, perTenant: 1, leaseMs: 1_000 });
    await store.markReleased(rows, now);
    const claimed = await bench.inTenant(tenant, (tx) => claimBatch(tx, { ...rows[0]!, now, leaseMs: 1_000 }));
    if (claimed.outcome !== 'claimed') throw new Error('The batch should be free.');

    const locks = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`;
    let returned: Promise<number> | undefined;
    const committed = await bench.inTenant(tenant, async (tx) => {
      await tx.query('SELECT FROM batches WHERE id = $1 FOR UPDATE', [batchId]);
      returned = store.returnToWaiting(rows, now);
      await waitUntil(async () => (await bench.look(locks, [bench.place.name])).length === 1, {
        describe: 'the sweep waits for the worker',
      });
      const nothing = { settlement: null, promptVersion: null, diagnostics: null, prunedMessages: 0 };
      const answer = { provider: 'mock', model: 'mock-1', notice: null, answer: '', items: [], trace: null };
      return completeExtraction(tx, { ...answer, ...nothing, batchId, fence: claimed.fence, now }, bench.ids);
    });
    expect(committed).toBe('committed');
    expect(await returned).toBe(0);
    expect(await bench.look('SELECT generation, state FROM batches WHERE id = $1', [batchId])).toEqual([
      { generation: 1, state: 'persisting' },
    ]);
    expect(await bench.look('SELECT queue, generation FROM outbox WHERE batch_id = $1', [batchId])).toEqual([
      { queue: 'persistence', generation: 1 },
    ]);
  });
});
