import { newEvent } from '@annals/testing';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { deleteTenant } from '../tenants/index.js';
import { recordEvents } from './index.js';

describe('events that are written behind answers', () => {
  let bench: StorageBench;

  beforeAll(async () => {
    bench = await StorageBench.open();
  });
  afterAll(() => bench.close());

  const tell = (tenantId: string, userId: string | null) =>
    bench.inTenant(tenantId, (tx) =>
      recordEvents(tx, [newEvent(bench.ids.next(), bench.clock.now(), { userId, threadId: 'thread', sim: 0.5 })]),
    );
  const rows = () => bench.look('SELECT tenant_id, user_id, thread_id, node, op, status, sim FROM events');

  it('are written for whom nothing else is known of, and for nobody', async () => {
    const tenantId = await bench.addTenant();
    await tell(tenantId, 'ada');
    await tell(tenantId, null);
    const row = { tenant_id: tenantId, thread_id: 'thread', node: 'context', op: 'recall', status: 'ok', sim: 0.5 };
    expect(await rows()).toEqual([
      { ...row, user_id: 'ada' },
      { ...row, user_id: null },
    ]);
    await deleteTenant(bench.database, tenantId);
  });

  it('are left out when their tenant was deleted meanwhile', async () => {
    const tenantId = await bench.addTenant();
    await deleteTenant(bench.database, tenantId);
    await tell(tenantId, 'ada');
    await tell(tenantId, null);
    expect(await rows()).toEqual([]);
  });
});
