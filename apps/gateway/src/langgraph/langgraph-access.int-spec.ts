import type { ErasureReceipt, Scope } from '@annals/contracts';
import { findTablesContaining } from '../fixtures/find-tables-containing.fixture.js';
import { type KeyOptions, startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { TenantSettingsFixture } from '../fixtures/tenant-settings.fixture.js';
import { GraphClient } from './graph-client.fixture.js';

const writes = [{ idx: 0, channel: 'messages', type: 'json', value: '1' }];
const NONE = { checkpoints: 0, writes: 0 };
const OTHER_USER = { status: 409, body: { code: 'thread_of_other_user' } };

describe('whose a thread of LangGraph is', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let graphs: GraphClient;
  let threads = 0;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('owners');
    graphs = await clientOf({});
  });
  afterAll(() => gateway.close());

  const clientOf = async (options: Partial<KeyOptions>) =>
    new GraphClient(gateway, await gateway.makeKey({ tenantId, ...options }));
  const newThread = () => `thread-${++threads}`;
  const ownerOf = async (thread: string) => {
    const { items } = (await graphs.list('?limit=200')).body;
    return items.find(({ thread_id: id }) => id === thread)?.user_id;
  };

  it('is decided by the first request that names a user, and then by no other', async () => {
    const thread = newThread();
    const { body: saved } = await graphs.put(thread, 'c1', { state: 'one' });
    expect(await ownerOf(thread)).toBe(`langgraph:${thread}`);
    // Not by a delta, which is sent again as a state.
    const delta = { base: saved.version, data: '' };
    expect((await graphs.put(thread, 'c2', { user_id: 'ada', delta })).status).toBe(409);
    expect(await ownerOf(thread)).toBe(`langgraph:${thread}`);
    expect((await graphs.put(thread, 'c2', { user_id: 'ada', state: 'two' })).status).toBe(200);
    expect(await ownerOf(thread)).toBe('ada');
    expect(await graphs.put(thread, 'c3', { user_id: 'bob', state: 'three' })).toMatchObject(OTHER_USER);
    expect(await graphs.putWrites(thread, 'c2', { user_id: 'bob', writes })).toMatchObject(OTHER_USER);
    expect(await graphs.put(thread, 'c3', { user_id: `langgraph:${thread}`, state: '' })).toMatchObject(OTHER_USER);
    expect(await graphs.put(thread, 'c3', { state: 'three' })).toMatchObject({ status: 200 });
    expect([await ownerOf(thread), await graphs.find({ user_id: 'ada', thread_id: thread })]).toEqual([
      'ada',
      ['c3', 'c2', 'c1'],
    ]);
  });

  it('can be decided by the writes of a task, which may come first', async () => {
    const [named, later] = [newThread(), newThread()];
    await graphs.putWrites(named, 'c1', { user_id: 'ada', writes });
    await graphs.putWrites(later, 'c1', { writes });
    await graphs.putWrites(later, 'c1', { user_id: 'ada', writes });
    expect([await ownerOf(named), await ownerOf(later)]).toEqual(['ada', 'ada']);
  });

  it('says what is erased: a thread that named no user with the user that is made of its id', async () => {
    const thread = newThread();
    await graphs.put(thread, 'c1', { state: 'one' });
    await graphs.putWrites(thread, 'c1', { writes });
    const path = `/v1/users/${encodeURIComponent(`langgraph:${thread}`)}`;
    const { body } = await gateway.send<ErasureReceipt>(graphs.key, 'DELETE', path);
    expect(body.counts).toMatchObject({ langgraph_threads: 1, langgraph_checkpoints: 1, langgraph_writes: 1 });
    expect(await findTablesContaining(gateway, `${thread},`)).toEqual([]);
    expect((await graphs.get(thread)).status).toBe(404);
  });

  describe('for a key that is bound to a user', () => {
    it('is always that user, named or not', async () => {
      const ada = await clientOf({ userId: 'ada', scopes: ['ingest', 'query'] });
      const thread = newThread();
      expect((await ada.put(thread, 'c1', { state: 'one' })).status).toBe(200);
      expect((await ada.putWrites(thread, 'c1', { user_id: 'ada', writes })).status).toBe(200);
      expect(await ownerOf(thread)).toBe('ada');
      expect((await ada.get(thread)).body.writes).toHaveLength(1);
      expect(await ada.copy(thread, `${thread} copy`)).toMatchObject({ status: 201 });
      expect(await ownerOf(`${thread} copy`)).toBe('ada');
      const forbidden = { status: 403, body: { code: 'forbidden_user' } };
      expect(await ada.put(thread, 'c2', { user_id: 'bob', state: '' })).toMatchObject(forbidden);
      expect(await ada.search({ user_id: 'bob' })).toMatchObject(forbidden);
      expect(await ada.list('?user_id=bob')).toMatchObject(forbidden);
      expect(await ada.prune({ user_id: 'bob', thread_ids: [thread] })).toMatchObject(forbidden);
    });

    it.each([
      ['another user', { user_id: 'bob' }],
      ['nobody', {}],
    ])('leaves the threads of %s as if they were not there', async (_who, named) => {
      const ada = await clientOf({ userId: 'ada' });
      const thread = newThread();
      const { body: saved } = await graphs.put(thread, 'c1', { state: 'one', ...named });
      await graphs.put(thread, 'c2', { parent_id: 'c1', state: 'two' });
      await graphs.putWrites(thread, 'c1', { writes });
      const takeSnapshot = async () => [
        await ownerOf(thread),
        (await graphs.search({ thread_id: thread })).body,
        (await graphs.list('?limit=200')).body,
      ];
      const before = await takeSnapshot();
      expect(await ada.get(thread)).toMatchObject({ status: 404 });
      expect(await ada.get(thread, '?checkpoint_id=c1')).toMatchObject({ status: 404 });
      expect(await ada.find({ thread_id: thread })).toEqual([]);
      expect(await ada.find({ thread_id: thread, checkpoint_id: 'c1' })).toEqual([]);
      const { items } = (await ada.history(thread, { checkpoint_id: 'c2', channels: ['messages'] })).body;
      expect(items).toEqual([]);
      expect((await ada.list('?limit=200')).body.items.map(({ thread_id: id }) => id)).not.toContain(thread);
      expect(await ada.put(thread, 'c3', { state: 'three' })).toMatchObject(OTHER_USER);
      const delta = { base: saved.version, data: '' };
      expect((await ada.put(thread, 'c3', { delta })).status).toBe(409);
      expect(await ada.putWrites(thread, 'c1', { writes })).toMatchObject(OTHER_USER);
      expect(await ada.copy(thread, 'stolen')).toMatchObject({ status: 404 });
      const thread_ids = [thread];
      expect(await ada.prune({ thread_ids })).toMatchObject({ status: 200, body: NONE });
      expect(await ada.prune({ thread_ids, strategy: 'delete' })).toMatchObject({ status: 200, body: NONE });
      expect(await ada.delete(thread)).toMatchObject({ status: 200, body: NONE });
      expect(await takeSnapshot()).toEqual(before);
    });
  });

  const each = (client: GraphClient, thread: string) =>
    Promise.all(
      [
        client.put(thread, 'c1', { state: 'one' }),
        client.putWrites(thread, 'c1', { writes }),
        client.get(thread),
        client.search({}),
        client.history(thread, { checkpoint_id: 'c1', channels: ['c'] }),
        client.list(),
        client.copy(thread, 'refused'),
        client.prune({ thread_ids: [thread] }),
        client.delete('unknown'),
      ].map(async (answer) => {
        const { status, body } = await answer;
        return status === 403 ? (body as unknown as { code: string }).code : status;
      }),
    );

  it('does not matter for keys that are bound to an agent or to categories: they are refused', async () => {
    const ofAgent = await clientOf({ agentId: 'planner' });
    expect(new Set(await each(ofAgent, newThread()))).toEqual(new Set(['forbidden_agent']));
    const ofCategories = await clientOf({ categories: ['tasks'] });
    expect(new Set(await each(ofCategories, newThread()))).toEqual(new Set(['forbidden_category']));
  });

  it.each<[Scope, (number | 'no')[]]>([
    ['ingest', [200, 200, 200, 200, 200, 'no', 201, 200, 200]],
    ['query', ['no', 'no', 200, 200, 200, 200, 'no', 'no', 'no']],
    ['admin', ['no', 'no', 'no', 'no', 'no', 200, 'no', 200, 200]],
  ])('takes a scope: what %s allows', async (scope, expected) => {
    const thread = newThread();
    await graphs.put(thread, 'c1', { state: 'one' });
    const answers = await each(await clientOf({ scopes: [scope] }), thread);
    expect(answers.map((answer) => (answer === 'forbidden_scope' ? 'no' : answer))).toEqual(expected);
    await graphs.delete('refused');
  });

  it('is nobody of another tenant', async () => {
    const thread = newThread();
    await graphs.put(thread, 'c1', { user_id: 'ada', state: 'one' });
    const stranger = await clientOf({ tenantId: await gateway.makeTenant('stranger') });
    expect((await stranger.get(thread)).status).toBe(404);
    expect(await stranger.find({})).toEqual([]);
    expect((await stranger.delete(thread)).body).toEqual(NONE);
    expect((await stranger.put(thread, 'c1', { user_id: 'bob', state: 'other' })).status).toBe(200);
    expect((await graphs.get(thread)).body.state).toBe('one');
  });

  it('is found by ids that carry personal data, of which only hashes are stored', async () => {
    const settings = await TenantSettingsFixture.open(gateway);
    const { key } = await settings.createTenant({ personal_ids: 'hash' });
    const hashing = new GraphClient(gateway, key!);
    const [first, second] = ['ana.quillfeather@example.com', '+14155552671'];
    for (const thread of [first, second]) {
      await hashing.put(thread, 'c1', { state: 'one' });
      await hashing.put(thread, 'c2', { state: 'two', user_id: 'ana.quillfeather@example.com' });
      await hashing.putWrites(thread, 'c2', { writes });
    }
    const hash = expect.stringMatching(/^id-[0-9a-f]{32}$/);
    const { thread_id: stored } = (await hashing.get(first)).body;
    expect((await hashing.list()).body.items).toMatchObject([
      { thread_id: hash, user_id: hash },
      { thread_id: hash, user_id: hash },
    ]);
    expect(await hashing.find({ thread_id: first })).toEqual(['c2', 'c1']);
    expect(await hashing.copy(first, 'copy-of-ana@example.com')).toMatchObject({ status: 201 });
    for (const word of ['quillfeather', '4155552671', 'copy-of-ana'])
      expect(await findTablesContaining(gateway, word)).toEqual([]);
    const pruned = await hashing.prune({ thread_ids: [stored, second, 'unknown@example.com'] });
    expect(pruned.body).toEqual({ checkpoints: 2, writes: 0 });
    expect((await hashing.delete(first)).body).toEqual({ checkpoints: 1, writes: 1 });
    expect((await hashing.get(first)).status).toBe(404);
  });
});
