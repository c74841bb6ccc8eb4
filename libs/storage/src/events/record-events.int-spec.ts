import { newEvent } from '@annals/testing';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { deleteTenant } from '../tenants/tenants.js';
import { recordEvents } from './record-events.js';

describe('recordEvents', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  const recordEvent = (tenantId: string, userId: string | null) =>
    fixture.inTenant(tenantId, (tx) =>
      recordEvents(tx, [newEvent(fixture.ids.next(), fixture.clock.now(), { userId, threadId: 'thread', sim: 0.5 })]),
    );
  const rows = () =>
    fixture.queryAsSuperuser('SELECT tenant_id, user_id, thread_id, node, op, status, sim FROM events');

  it('writes events of unknown users, and events without a user', async () => {
    const tenantId = await fixture.addTenant();
    await recordEvent(tenantId, 'ada');
    await recordEvent(tenantId, null);
    const row = { tenant_id: tenantId, thread_id: 'thread', node: 'hotpath', op: 'recall', status: 'ok', sim: 0.5 };
    expect(await rows()).toEqual([
      { ...row, user_id: 'ada' },
      { ...row, user_id: null },
    ]);
    await deleteTenant(fixture.database, tenantId);
  });

  it('omits events whose tenant was deleted meanwhile', async () => {
    const tenantId = await fixture.addTenant();
    await deleteTenant(fixture.database, tenantId);
    await recordEvent(tenantId, 'ada');
    await recordEvent(tenantId, null);
    expect(await rows()).toEqual([]);
  });
});
