import { InvalidCursorError } from '../database/cursor.js';
import { post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { listConversations } from './list-conversations.js';

describe('listConversations', () => {
  let fixture: StorageFixture;
  let tenant: string;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const say = async (threadId: string, minute: number, agentId: string | null = null, userId = 'ada') => {
    const now = fixture.clock.now() + minute * 60_000;
    return (await post(fixture, tenant, { userId, threadId, agentId, now })).conversationId;
  };
  const list = (query: { user_id?: string; agentId?: string; limit?: number; cursor?: string } = {}) =>
    fixture.inTenant(tenant, (tx) => listConversations(tx, { user_id: 'ada', agentId: null, limit: 50, ...query }));
  const threadsOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ thread_id }) => thread_id);

  it('returns those of the user, the last changed first, without messages', async () => {
    const id = await say('old', 0);
    await say('new', 1);
    await say('other', 2, null, 'bea');
    const page = await list();
    expect(threadsOf(page)).toEqual(['new', 'old']);
    expect(page.items[1]).toEqual({
      id,
      user_id: 'ada',
      thread_id: 'old',
      agent_id: null,
      run_id: null,
      app_id: null,
      kind: 'conversation',
      state: 'open',
      message_count: 1,
      created_at: new Date(fixture.clock.now()).toISOString(),
      updated_at: new Date(fixture.clock.now()).toISOString(),
      ended_at: null,
    });
  });

  it('returns those that an agent began', async () => {
    await say('planned', 0, 'planner');
    await say('written', 1, 'writer');
    expect(threadsOf(await list({ agentId: 'planner' }))).toEqual(['planned']);
  });

  it('pages without gap or repetition, also among conversations of the same time', async () => {
    for (const thread of ['a', 'b', 'c', 'd', 'e']) await say(thread, thread === 'e' ? 1 : 0);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list({ limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...threadsOf(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen[0]).toBe('e');
    expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('rejects a cursor that it did not issue', async () => {
    await expect(list({ cursor: 'nonsense' })).rejects.toThrow(InvalidCursorError);
  });
});
