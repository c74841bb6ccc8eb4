import type { MemoryQueryAnswer, MemoryWritten } from '@annals/contracts';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

// The embedded database serializes transactions, so nobody waits for a lock there.
describe('queries beside a transaction that holds the user', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let memoryId: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('upgraded');
    key = await gateway.makeKey({ tenantId });
    const body = { user_id: 'ada', content: 'The user plays the oboe.', category: 'profile' };
    memoryId = (await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body })).body.memory.id;
    await gateway.database.inTenant(tenantId, (tx) =>
      tx.execute(
        `INSERT INTO memories (id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
           importance, confidence, valid_from, recorded_at, updated_at, deleted_at, deleted_by, purge_at)
         SELECT gen_random_uuid(), 'ada', 'profile', 'semantic', 'The user plays Game' || n || '.', n, '1',
                'soft_deleted', 'manual', 3, 0.8, now(), now(), now(), now(), 'user', now() + interval '30 days'
           FROM generate_series(1, 2000) n`,
      ),
    );
  });
  afterAll(() => gateway.close());

  it.each([
    ['the echoes are to be noted of memories that are over', 3],
    ['the index is to be rebuilt', 2],
  ])('do not wait for it when %s after an upgrade, and leave that to the jobs', async (_what, analyzer) => {
    await gateway.database.inTenant(tenantId, (tx) => tx.execute('UPDATE users SET analyzer = $1', [analyzer]));
    const answer = await gateway.database.inTenant(tenantId, async (tx) => {
      await tx.query('SELECT FROM users FOR UPDATE');
      const body = { query: 'Which instrument?', filters: { user_id: 'ada' } };
      return gateway.send<MemoryQueryAnswer>(key, 'POST', '/v1/memory/query', { body });
    });
    expect(answer.status).toBe(200);
    const served = [...answer.body.memories, ...answer.body.core];
    expect(served.map(({ id }) => id)).toEqual([memoryId]);
    const [user] = await gateway.database.readTenant(tenantId, (tx) =>
      tx.query('SELECT analyzer, echoes_after FROM users'),
    );
    expect(user).toEqual({ analyzer, echoes_after: null });
  });
});
