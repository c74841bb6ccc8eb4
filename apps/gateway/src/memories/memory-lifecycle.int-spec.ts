import type { HistoryPage, Memory, MemoryWritten } from '@annals/contracts';
import { createExpiryJob, createPurgeJob, type MaintenanceJob } from '@annals/runtime';
import { ShiftedClock } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

interface ChangeRow {
  event: string;
  rev: string;
}

describe('a memory that is never read, over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  /** Offset of the maintenance jobs' clock. */
  let aheadMs = 0;

  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('lifecycle');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  async function run(createJob: typeof createExpiryJob): Promise<number> {
    const { ids, metrics } = gateway.infrastructure;
    const retention = { ttlMs: 60 * DAY_MS, minRetainedImportance: 3, purgeAfterMs: 30 * DAY_MS, intervalMs: 1_000 };
    const job: MaintenanceJob = createJob({ ids, metrics, retention });
    const { done } = await job.run({
      database: gateway.database,
      clock: new ShiftedClock(aheadMs),
      signal: new AbortController().signal,
      cursor: null,
      budgetMs: 60_000,
    });
    return done;
  }

  const read = (id: string) => gateway.send<Memory>(key, 'GET', `/v1/memories/${id}`);
  const restore = (id: string) => gateway.send<MemoryWritten>(key, 'POST', `/v1/memories/${id}/restore`);

  it('expires, can be restored, and each of both appears once in the change log', async () => {
    const said = await gateway.send(key, 'POST', '/v1/conversations', {
      body: { user_id: 'ada', thread_id: 't', messages: [{ role: 'user', content: 'I collect stamps.' }] },
    });
    expect(said.status).toBe(202);
    const { body } = await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
      body: { user_id: 'ada', content: 'Ada collects stamps.', category: 'interests', importance: 2 },
    });
    const { id } = body.memory;
    await gateway.database.inTenant(tenantId, (tx) =>
      tx.execute(
        `INSERT INTO memory_sources (memory_id, message_id, conversation_id, user_id, thread_id, role, quote, said_at)
         SELECT $1, m.id, m.conversation_id, 'ada', 't', 'user', 'stamps', m.said_at FROM messages m`,
        [id],
      ),
    );
    aheadMs = 61 * DAY_MS;
    expect(await run(createExpiryJob)).toBe(1);
    expect((await read(id)).body.state).toBe('soft_deleted');
    const listed = await gateway.send<{ items: Memory[] }>(key, 'GET', '/v1/memories?user_id=ada');
    expect(listed.body.items).toEqual([]);
    expect(await restore(id)).toMatchObject({ status: 200, body: { memory: { id, state: 'active' } } });
    expect((await restore(id)).status).toBe(409);
    const { body: history } = await gateway.send<HistoryPage>(key, 'GET', `/v1/memories/${id}/history`);
    expect(history.items.map(({ event }) => event)).toEqual(['RESTORE', 'TTL', 'ADD']);
    const changes = await gateway.database.readTenant(tenantId, (tx) =>
      tx.query<ChangeRow>('SELECT event, rev FROM change_log WHERE memory_id = $1 ORDER BY rev, n', [id]),
    );
    expect(changes.map(({ event }) => event)).toEqual(['soft_deleted', 'restored']);
    expect(new Set(changes.map(({ rev }) => rev)).size).toBe(2);
  });

  it('is purged after another 30 days, and cannot be restored then', async () => {
    const { body } = await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
      body: { user_id: 'ada', content: 'Ada owns a red cap.', category: 'interests', importance: 1 },
    });
    const { id } = body.memory;
    aheadMs = 61 * DAY_MS;
    expect(await run(createExpiryJob)).toBeGreaterThan(0);
    aheadMs = 91 * DAY_MS - 1_000;
    expect(await run(createPurgeJob)).toBe(0);
    aheadMs = 92 * DAY_MS;
    expect(await run(createPurgeJob)).toBeGreaterThan(0);
    expect((await read(id)).status).toBe(404);
    expect((await restore(id)).status).toBe(404);
  });
});
