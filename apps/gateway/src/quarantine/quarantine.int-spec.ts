import type { HistoryPage, Memory, MemoryPage, MemoryQueryAnswer, MemoryWritten } from '@annals/contracts';
import { writeMemories } from '@annals/storage';
import { newMemory } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('quarantine over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('quarantine');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  /** A quarantined memory as extraction writes it: its quote occurs in no message. */
  async function quarantine(userId: string, content: string, saidAt?: number): Promise<string> {
    const { clock, ids } = gateway.infrastructure;
    const now = clock.now();
    const memory = newMemory(content, now, {
      category: 'preferences',
      origin: 'extraction',
      provider: 'local',
      model: 'rules',
      quarantineReason: 'quote_not_found',
      saidAt: saidAt ?? now,
    });
    const command = { userId, actor: 'extraction', node: 'hotpath', changes: [{ kind: 'observe' as const, memory }] };
    const written = await gateway.database.inTenant(tenantId, (tx) =>
      writeMemories(tx, { ...command, embeddings: new Map() }, { clock, ids, randomBytes }),
    );
    if (written.outcome !== 'applied') throw new Error(`The memory is ${written.outcome}.`);
    return written.results[0]!.memoryId;
  }
  const list = async (query = '') =>
    (await gateway.send<MemoryPage>(key, 'GET', `/v1/quarantine${query}`)).body.items.map(({ id }) => id);
  const decide = <Body = MemoryWritten>(id: string, decision: 'release' | 'reject', headers = {}) =>
    gateway.send<Body>(key, 'POST', `/v1/quarantine/${id}/${decision}`, { headers });
  const queryMemory = async (user_id: string, query: string) =>
    (
      await gateway.send<MemoryQueryAnswer>(key, 'POST', '/v1/memory/query', { body: { query, filters: { user_id } } })
    ).body.memories.map(({ text }) => text);
  const eventsOf = async (id: string) =>
    (await gateway.send<HistoryPage>(key, 'GET', `/v1/memories/${id}/history`)).body.items.map(({ event }) => event);

  it('lists quarantined memories, of all users or one, for admins only', async () => {
    const [ann, ben] = [await quarantine('ann', 'Ann hates tea.'), await quarantine('ben', 'Ben hates tea.')];
    expect(await list()).toEqual(expect.arrayContaining([ann, ben]));
    expect(await list('?user_id=ann')).toEqual([ann]);
    const writer = await gateway.makeKey({ tenantId, scopes: ['ingest', 'query'] });
    for (const [method, path] of [
      ['GET', '/v1/quarantine'],
      ['POST', `/v1/quarantine/${ann}/release`],
      ['POST', `/v1/quarantine/${ann}/reject`],
    ] as const) {
      expect(await gateway.send(writer, method, path)).toMatchObject({
        status: 403,
        body: { code: 'forbidden_scope' },
      });
    }
  });

  it('makes a released memory active, and records the release in its history', async () => {
    const id = await quarantine('cat', 'Cat collects fountain pens.');
    expect(await queryMemory('cat', 'What does Cat collect?')).toEqual([]);
    const released = await decide(id, 'release');
    expect(released).toMatchObject({
      status: 200,
      body: { outcome: 'updated', memory: { id, state: 'active', quarantine_reason: null } },
    });
    expect(released.headers.get('etag')).toBe(`"${released.body.memory.revision}"`);
    expect(await queryMemory('cat', 'What does Cat collect?')).toEqual([expect.stringContaining('fountain pens')]);
    expect(await list('?user_id=cat')).toEqual([]);
    expect((await eventsOf(id)).length).toBe(2);
    expect(await decide(id, 'release')).toMatchObject({ status: 409, body: { code: 'memory_not_quarantined' } });
  });

  it('deletes a rejected memory, and does not quarantine the same content again', async () => {
    const saidAt = gateway.infrastructure.clock.now();
    const id = await quarantine('dan', 'Dan hates rain.', saidAt);
    const rejected = await decide<Memory>(id, 'reject');
    expect(rejected).toMatchObject({ status: 200, body: { id, state: 'soft_deleted' } });
    await quarantine('dan', 'Dan hates rain.', saidAt);
    expect(await list('?user_id=dan')).toEqual([]);
    expect((await eventsOf(id)).length).toBe(2);
  });

  it('refuses a decision with an outdated revision', async () => {
    const id = await quarantine('eve', 'Eve hates snow.');
    expect(await decide(id, 'release', { 'if-match': '"7"' })).toMatchObject({
      status: 412,
      body: { code: 'revision_conflict' },
    });
    expect(await list('?user_id=eve')).toEqual([id]);
  });

  it('refuses to change the content of a quarantined memory before its release', async () => {
    const id = await quarantine('hal', 'Hal hates hail.');
    const patch = () => gateway.send(key, 'PATCH', `/v1/memories/${id}`, { body: { content: 'Hal likes hail.' } });
    expect(await patch()).toMatchObject({
      status: 409,
      body: { code: 'memory_not_current', detail: expect.stringContaining('release it first') },
    });
    await decide(id, 'release');
    expect(await patch()).toMatchObject({ status: 200, body: { outcome: 'superseded' } });
  });

  it('answers 404 for a memory of another user or category than the key’s', async () => {
    const id = await quarantine('fay', 'Fay hates wind.');
    const bound = [
      await gateway.makeKey({ tenantId, userId: 'gus' }),
      await gateway.makeKey({ tenantId, categories: ['goals'] }),
    ];
    for (const other of bound) {
      expect((await gateway.send(other, 'POST', `/v1/quarantine/${id}/release`)).status).toBe(404);
      expect((await gateway.send<MemoryPage>(other, 'GET', '/v1/quarantine')).body.items).toEqual([]);
    }
  });
});
