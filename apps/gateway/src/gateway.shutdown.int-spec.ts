import type { ConversationAccepted } from '@annals/contracts';
import { createTestPool } from '@annals/testing';
import { EventLog } from './events/event-log.js';
import { startGateway } from './fixtures/start-gateway.fixture.js';
import { AccessLog } from './memory-query/access-log.js';

describe('the gateway at shutdown', () => {
  it('ends event streams although the database does not take what is left to write', async () => {
    const gateway = await startGateway({ env: { ANNALS_ACCESS_FLUSH_MS: '600000' } });
    const pool = createTestPool({ connectionString: gateway.testDatabase.admin.url });
    const tenantId = await gateway.makeTenant('shutdown');
    const key = await gateway.makeKey({ tenantId });
    const body = { user_id: 'ada', messages: [{ role: 'user', content: 'I like tea.' }] };
    const accepted = await gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', { body });
    const stream = await fetch(`${gateway.url}/v1/batches/${accepted.body.batch_ids[0]!}/events`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const memory = { user_id: 'ada', content: 'Ada rows.', category: 'profile' };
    const written = await gateway.send<{ memory: { id: string } }>(key, 'POST', '/v1/memories', { body: memory });

    const locked = await pool.connect();
    await locked.query('BEGIN');
    await locked.query('LOCK TABLE annals.memory_access, annals.events IN ACCESS EXCLUSIVE MODE');
    gateway.app.get(AccessLog).record(tenantId, [written.body.memory.id]);
    gateway.app.get(EventLog).record(tenantId, { node: 'context', op: 'search', status: 'ok' });
    const closed = gateway.close();
    expect(await stream.text()).toContain('event: status');

    await locked.query('COMMIT');
    locked.release();
    await pool.end();
    await closed;
  });
});
