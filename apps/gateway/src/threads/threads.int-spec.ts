import type { MemoryQueryAnswer, Problem, ThreadDelta } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG } from '@annals/domain';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('the delta of a thread', () => {
  let gateway: TestGateway;
  let fixture: MemoryFixture;
  const categories = { current: DEFAULT_CATEGORY_CONFIG };

  beforeAll(async () => {
    gateway = await startGateway({ categories });
    fixture = await MemoryFixture.open(gateway, 'threads');
  });
  afterAll(() => gateway?.close());

  const delta = async (user: string, since: number, rest = '', key = fixture.key) =>
    (await gateway.send<ThreadDelta>(key, 'GET', `/v1/threads/t/delta?user_id=${user}&since=${since}${rest}`)).body;
  const addMemory = async (user: string, content: string, fields: object = {}) => {
    const body = { user_id: user, thread_id: 't', content, category: 'goals', importance: 2, ...fields };
    const answer = await gateway.send<{ memory: { id: string } }>(fixture.key, 'POST', '/v1/memories', { body });
    return answer.body.memory.id;
  };
  const change = (method: string, id: string, body?: object) =>
    gateway.send(fixture.key, method, `/v1/memories/${id}`, body === undefined ? {} : { body });

  it('contains every change of a manually written memory, from creation to deletion', async () => {
    const id = await addMemory('life', 'Ship v1 by August');
    const created = await delta('life', 0);
    expect(created).toMatchObject({ revision: 1, since: 0, next_cursor: null });
    expect(created.header).toBe('Memory updates since rev 0:\n- +created: [Goals] Ship v1 by August (imp=2)');
    expect(created.changes).toMatchObject([
      { revision: 1, event: 'created', memory_id: id, text: 'Ship v1 by August' },
    ]);

    const patched = await change('PATCH', id, { content: 'Ship v1 by September' });
    const next = (patched.body as unknown as { memory: { id: string } }).memory.id;
    const updated = await delta('life', 1);
    expect(updated).toMatchObject({ revision: 2 });
    expect(updated.header).toBe('Memory updates since rev 1:\n- ↑updated: [Goals] Ship v1 by September');
    expect((await delta('life', 0)).header).toBe(
      'Memory updates since rev 0:\n- +created: [Goals] Ship v1 by September (imp=2)',
    );

    await change('DELETE', next);
    const deleted = await delta('life', 2);
    expect(deleted).toMatchObject({ revision: 3, header: 'Memory updates since rev 2:\n- −deleted: [Goals]' });
    expect(deleted.changes).toMatchObject([{ event: 'deleted', text: null }]);
    expect(await delta('life', 0)).toMatchObject({ header: null });
    expect(JSON.stringify((await delta('life', 0)).changes)).not.toContain('September');
    expect(await delta('life', 3)).toMatchObject({ header: null, changes: [], revision: 3 });
  });

  it('reports the net change since a revision, whatever was changed, undone and restored in between', async () => {
    const id = await addMemory('again', 'Run a marathon');
    await change('PATCH', id, { importance: 4 });
    const patched = await change('PATCH', id, { content: 'Run half a marathon' });
    const next = (patched.body as unknown as { memory: { id: string } }).memory.id;
    const headers = async (...since: number[]) =>
      Promise.all(since.map(async (rev) => (await delta('again', rev)).header));
    const made = '- +created: [Goals] Run half a marathon (imp=4)';
    expect(await headers(0)).toEqual([`Memory updates since rev 0:\n${made}`]);
    await change('POST', `${next}/undo`);
    expect(await headers(0, 3)).toEqual([
      'Memory updates since rev 0:\n- +created: [Goals] Run a marathon (imp=4)',
      'Memory updates since rev 3:\n- ↑updated: [Goals] Run a marathon',
    ]);
    await change('POST', `${next}/undo`);
    expect(await headers(0, 4)).toEqual([
      `Memory updates since rev 0:\n${made}`,
      'Memory updates since rev 4:\n- ↑updated: [Goals] Run half a marathon',
    ]);
    await change('DELETE', next);
    expect(await headers(0)).toEqual([null]);
    await change('POST', `${next}/restore`);
    expect(await headers(0, 0)).toEqual([
      `Memory updates since rev 0:\n${made}`,
      `Memory updates since rev 0:\n${made}`,
    ]);
  });

  it('is part of a query’s response, once, and counts towards its tokens', async () => {
    await addMemory('answer', 'Learn the cello');
    const queryMemory = async (since_rev?: number) =>
      (
        await fixture.queryMemory<MemoryQueryAnswer>({
          query: 'cello',
          filters: { user_id: 'answer' },
          thread_id: 't',
          ...(since_rev === undefined ? {} : { since_rev }),
        })
      ).body;
    const first = await queryMemory(0);
    expect(first).toMatchObject({ revision: 1, header: expect.stringContaining('+created: [Goals] Learn the cello') });
    const seen = await queryMemory(first.revision);
    expect(seen.header).toBeUndefined();
    expect(seen).toMatchObject({ revision: 1 });
    expect(first.tokens).toBeGreaterThan(seen.tokens);
    expect((await queryMemory()).header).toBeUndefined();
    const unnamed = await fixture.queryMemory<Problem>({
      query: 'cello',
      filters: { user_id: 'answer' },
      since_rev: 0,
    });
    expect(unnamed).toMatchObject({ status: 400, body: { errors: [{ path: 'body.thread_id' }] } });
  });

  it('is filtered by the allowlist, also when a memory changes its category', async () => {
    const id = await addMemory('view', 'Mornings are for work', { category: 'preferences' });
    const stylist = await gateway.makeKey({ tenantId: fixture.tenantId, agentId: 'stylist' });
    expect((await delta('view', 0, '', stylist)).header).toContain('Mornings');
    await change('PATCH', id, { category: 'goals' });
    const moved = await delta('view', 1, '', stylist);
    expect(moved.header).toBe('Memory updates since rev 1:\n- −deleted: [Preferences]');
    expect(JSON.stringify(moved)).not.toContain('Mornings');
    expect(await delta('view', 0, '', stylist)).toMatchObject({ header: null });
    expect((await delta('view', 1, '&agent=planner')).header).toContain('+created: [Goals] Mornings');
  });

  it('is returned page by page', async () => {
    for (const number of [1, 2, 3]) await addMemory('pages', `Goal number ${number} of the year`);
    const first = await delta('pages', 0, '&limit=2');
    expect(first.changes.map(({ revision }) => revision)).toEqual([1, 2]);
    const rest = await delta('pages', 0, `&limit=2&cursor=${first.next_cursor}`);
    expect(rest.changes.map(({ revision }) => revision)).toEqual([3]);
    expect(rest).toMatchObject({ next_cursor: null, header: first.header });
  });

  it('exists only for a thread of the user', async () => {
    const answer = await gateway.send(fixture.key, 'GET', '/v1/threads/nothing/delta?user_id=life');
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const withoutUser = await gateway.send(fixture.key, 'GET', '/v1/threads/t/delta');
    expect(withoutUser).toMatchObject({ status: 400, body: { errors: [{ path: 'query.user_id' }] } });
  });

  it('uses the current category configuration, with its rag_length', async () => {
    for (const number of [1, 2, 3])
      await addMemory('modes', `Sing song number ${number} aloud`, { category: 'interests' });
    const queryMemory = async (rest: object) =>
      (await fixture.queryMemory<MemoryQueryAnswer>({ filters: { user_id: 'modes' }, explain: true, ...rest })).body;
    expect((await queryMemory({ query: 'song' })).memories).toHaveLength(3);
    categories.current = {
      categories: DEFAULT_CATEGORY_CONFIG.categories.map((category) =>
        category.name === 'interests' ? { name: 'interests', context: 'rag', ragLength: 2 } : category,
      ),
      allowlists: { singer: ['interests'] },
    };
    const limited = await queryMemory({ query: 'song', agent: 'singer' });
    expect(limited.memories).toHaveLength(2);
    expect(limited.explain!.dropped).toMatchObject([{ why: 'rag_length' }]);
    expect((await queryMemory({ agent: 'singer' })).memories).toHaveLength(2);
    const refused = await fixture.queryMemory<Problem>({ query: 'x', agent: 'planner', filters: { user_id: 'modes' } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden_agent' } });
    categories.current = DEFAULT_CATEGORY_CONFIG;
  });
});
