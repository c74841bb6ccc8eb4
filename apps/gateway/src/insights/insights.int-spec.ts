import type { Insight, InsightPage, MemoryReasons, UserContext } from '@annals/contracts';
import { randomBytes } from '@annals/runtime';
import { writeInsights, writeMemories } from '@annals/storage';
import { newMemory } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const SHORT = 'The user prefers short answers.';

describe('insights over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  let users = 0;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('insights');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const deps = () => {
    const { clock, ids } = gateway.infrastructure;
    return { clock, ids, randomBytes };
  };
  /** An insight that rests on one memory of the category. Returns the ids of both. */
  const infer = async (userId: string, { agentId = null as string | null, category = 'tasks' } = {}) => {
    const { clock, ids } = gateway.infrastructure;
    const now = clock.now();
    const memory = newMemory('The user reads on a phone.', now, { category });
    return gateway.database.inTenant(tenantId, async (tx) => {
      const written = await writeMemories(
        tx,
        { userId, actor: 'test', node: 'api', changes: [{ kind: 'observe', memory }] },
        deps(),
      );
      const groundId = written.outcome === 'applied' ? written.results[0]!.memoryId : '';
      const evidence = {
        label: 'k1',
        kind: 'memory',
        id: groundId,
        content: 'c',
        saidAt: now,
        messageId: null,
      } as const;
      const insight = {
        summary: SHORT,
        tags: ['style'],
        importance: 2,
        confidence: 0.6,
        evidence: [evidence],
        inferred: null,
      } as const;
      const run = { userId, runId: ids.next(), agentId, names: [], read: [], provider: 'local', model: 'rules' };
      await writeInsights(tx, { ...run, insights: [insight] }, deps());
      const [row] = await tx.query<{ id: string }>('SELECT memory_id AS id FROM insights WHERE user_id = $1', [userId]);
      return { id: row!.id, groundId };
    });
  };
  const newUser = () => `user-${++users}`;
  type Listed = InsightPage & { readonly insights: 'on' | 'off' };
  const list = (user: string, by = key) => gateway.send<Listed>(by, 'GET', `/v1/users/${user}/insights`);
  const why = (id: string, by = key) => gateway.send<MemoryReasons>(by, 'GET', `/v1/memories/${id}/why`);
  const setInsights = (user: string, insights: string | null) =>
    gateway.send<UserContext>(key, 'PUT', `/v1/users/${user}/context`, { body: { insights } });
  const ask = async (user: string, by = key, more = {}) => {
    const body = { query: 'short answers', filters: { user_id: user }, ...more };
    const { body: answer } = await gateway.send<{ memories: { text: string }[] }>(by, 'POST', '/v1/memory/query', {
      body,
    });
    return answer.memories.some(({ text }) => text.includes('short answers'));
  };

  it('lists all of a person and says why each is held', async () => {
    const user = newUser();
    const { id, groundId } = await infer(user);
    const { status, body } = await list(user);
    expect([status, body.insights, body.next_cursor]).toEqual([200, 'on', null]);
    expect(body.items).toMatchObject([
      { id, content: SHORT, state: 'current', tags: ['style'] } satisfies Partial<Insight>,
    ]);
    expect(await why(id)).toMatchObject({
      status: 200,
      body: {
        memory_id: id,
        type: 'insight',
        provenance: { provider: 'local' },
        ground: [{ kind: 'memory', memory_id: groundId, content: 'The user reads on a phone.', state: 'stands' }],
      },
    });
    expect(await why(groundId)).toMatchObject({ status: 200, body: { type: 'semantic', ground: [] } });
    expect(await ask(user)).toBe(true);
  });

  it('hides them from everything but their list while they are switched off', async () => {
    const user = newUser();
    const { id } = await infer(user);
    expect(await setInsights(user, 'off')).toMatchObject({ status: 200, body: { insights: 'off' } });
    expect((await list(user)).body).toMatchObject({ insights: 'off', items: [{ id, state: 'current' }] });
    expect(await ask(user)).toBe(false);
    expect((await gateway.send(key, 'GET', `/v1/memories/${id}`)).status).toBe(404);
    expect((await why(id)).status).toBe(404);
    const listed = await gateway.send<{ items: unknown[] }>(key, 'GET', `/v1/memories?user_id=${user}&type=insight`);
    expect(listed.body.items).toEqual([]);
    expect(await setInsights(user, null)).toMatchObject({ body: { insights: null } });
    expect(await ask(user)).toBe(true);
    expect((await setInsights(user, 'maybe')).status).toBe(400);
    await setInsights(user, 'off');
    expect((await gateway.send(key, 'DELETE', `/v1/memories/${id}`)).status).toBe(200);
    expect((await list(user)).body.items).toMatchObject([{ id, state: 'deleted' }]);
  });

  it('does not restore one without its ground, and restores it with its ground', async () => {
    const user = newUser();
    const { id, groundId } = await infer(user);
    await gateway.send(key, 'DELETE', `/v1/memories/${groundId}`);
    expect((await list(user)).body.items).toMatchObject([
      { id, state: 'deleted', ground: [{ state: 'gone', content: null }] },
    ]);
    expect(await gateway.send(key, 'POST', `/v1/memories/${id}/restore`)).toMatchObject({
      status: 409,
      body: { code: 'insight_without_ground' },
    });
    await gateway.send(key, 'POST', `/v1/memories/${groundId}/restore`);
    expect((await list(user)).body.items).toMatchObject([{ id, state: 'current' }]);
  });

  it('shows them to nobody of another tenant, user or agent, or without the category of their ground', async () => {
    const user = newUser();
    const { id } = await infer(user, { agentId: 'supervisor' });
    const stranger = await gateway.makeKey({ tenantId: await gateway.makeTenant('strangers') });
    expect((await list(user, stranger)).body.items).toEqual([]);
    expect((await why(id, stranger)).status).toBe(404);
    const other = await gateway.makeKey({ tenantId, userId: 'somebody-else' });
    expect((await list(user, other)).status).toBe(403);
    expect((await why(id, other)).status).toBe(404);
    const supervisor = await gateway.makeKey({ tenantId, agentId: 'supervisor' });
    expect([(await why(id, supervisor)).status, await ask(user, supervisor)]).toEqual([200, true]);
    expect((await list(user, supervisor)).status).toBe(403);
    const foreign = newUser();
    const planned = await infer(foreign, { agentId: 'planner' });
    expect([(await why(planned.id, supervisor)).status, await ask(foreign, supervisor)]).toEqual([404, false]);
    expect(await ask(foreign, key, { agent: 'supervisor' })).toBe(false);
    const hidden = newUser();
    const known = await infer(hidden, { category: 'knowledge' });
    expect([(await why(known.id, supervisor)).status, await ask(hidden, supervisor)]).toEqual([404, false]);
    expect(await ask(hidden)).toBe(true);
  });
});
