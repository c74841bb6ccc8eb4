import type { MemoryWritten } from '@annals/contracts';
import { expireMemories } from '@annals/storage';
import { randomBytes } from 'node:crypto';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { AccessLog, MAX_PENDING } from './access-log.js';

interface AccessRow {
  memory_id: string;
  last_accessed_at: Date;
  access_count: number;
}

describe('AccessLog', () => {
  let gateway: TestGateway;
  let log: AccessLog;
  let tenantId: string;
  let key: string;

  beforeAll(async () => {
    gateway = await startGateway({ env: { ANNALS_ACCESS_FLUSH_MS: '600000' } });
    log = gateway.app.get(AccessLog);
    tenantId = await gateway.makeTenant('reads');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const addMemory = async (content: string, importance = 1) => {
    const body = { user_id: 'ada', content, category: 'profile', importance };
    return (await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body })).body.memory.id;
  };
  const readAccess = () =>
    gateway.database.readTenant(tenantId, (tx) =>
      tx.query<AccessRow>('SELECT * FROM memory_access ORDER BY memory_id'),
    );
  const countMetric = async (name: string) => {
    const { body } = await gateway.infrastructure.metrics.render();
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(body)?.[1] ?? 0);
  };

  it('records accesses in groups, after the responses', async () => {
    const [read, other] = [await addMemory('Ada rows.'), await addMemory('Ada sings.')];
    log.record(tenantId, [read, other]);
    log.record(tenantId, [read]);
    expect(await readAccess()).toEqual([]);
    await log.flush();
    const rows = await readAccess();
    expect(Object.fromEntries(rows.map((row) => [row.memory_id, row.access_count]))).toEqual({ [read]: 2, [other]: 1 });
    expect(await countMetric('memory_llm_accesses_recorded_total')).toBe(2);
  });

  it('reports accesses that it drops when the queue is full, and records the others', async () => {
    const before = await countMetric('memory_llm_accesses_dropped_total');
    const known = await addMemory('Ada swims.');
    log.record(tenantId, [known]);
    for (let count = 0; count < MAX_PENDING + 5; count += 1) log.record(tenantId, [gateway.infrastructure.ids.next()]);
    expect((await countMetric('memory_llm_accesses_dropped_total')) - before).toBe(6);
    await log.flush();
    expect((await readAccess()).map((row) => row.memory_id)).toContain(known);
  });

  it('restores memories that expired between the read and its record', async () => {
    const memoryId = await addMemory('Ada climbs.');
    log.record(tenantId, [memoryId]);
    const { clock, ids } = gateway.infrastructure;
    const rule = { idleSince: clock.now() + 1_000, minRetainedImportance: 3 };
    const done = await gateway.database.inTenant(tenantId, (tx) =>
      expireMemories(tx, { userId: 'ada', memoryIds: [memoryId], rule }, { clock, ids, randomBytes }),
    );
    expect(done.expired).toBe(1);
    await log.flush();
    const answer = await gateway.send<{ state: string }>(key, 'GET', `/v1/memories/${memoryId}`);
    expect(answer.body.state).toBe('active');
    const events = await gateway.database.readTenant(tenantId, (tx) =>
      tx.query<{ event: string; actor: string }>(
        `SELECT event, actor FROM history WHERE memory_id = $1 AND event <> 'LINK' ORDER BY seq`,
        [memoryId],
      ),
    );
    expect(events.slice(1)).toEqual([
      { event: 'TTL', actor: 'lifecycle' },
      { event: 'RESTORE', actor: 'lifecycle' },
    ]);
  });

  it('writes the rest of the queue when the process stops', async () => {
    const memoryId = await addMemory('Ada dives.');
    log.record(tenantId, [memoryId]);
    log.onModuleDestroy();
    await log.beforeApplicationShutdown();
    expect((await readAccess()).map((row) => row.memory_id)).toContain(memoryId);
  });
});
