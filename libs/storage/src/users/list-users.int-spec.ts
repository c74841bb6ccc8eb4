import { randomBytes } from 'node:crypto';
import { InvalidCursorError } from '../database/cursor.js';
import { post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { listUsers } from './list-users.js';

describe('listUsers', () => {
  let fixture: StorageFixture;
  let tenant: string;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const add = async (...ids: string[]) => {
    for (const userId of ids) await post(fixture, tenant, { userId, threadId: null });
  };
  const list = (query: { prefix?: string; limit?: number; cursor?: string } = {}) =>
    fixture.inTenant(tenant, (tx) => listUsers(tx, { limit: 50, ...query }));
  const idsOf = async (prefix: string) => (await list({ prefix })).items.map(({ user_id }) => user_id);

  it('returns users in the order of code points, with the time of their last conversation', async () => {
    const now = new Date(fixture.clock.now()).toISOString();
    await add('bea', 'Zoe', 'ada');
    expect(await list()).toEqual({
      items: ['Zoe', 'ada', 'bea'].map((user_id) => ({
        user_id,
        created_at: now,
        memories: 0,
        last_conversation_at: now,
      })),
      next_cursor: null,
    });
  });

  it('finds users by the beginning of their id, whatever it is made of', async () => {
    await add('ann', 'anna', 'an', 'Ann', 'ann%', 'ann_1', 'ann-😀', 'bann');
    expect(await idsOf('ann')).toEqual(['ann', 'ann%', 'ann-😀', 'ann_1', 'anna']);
    expect(await idsOf('ann%')).toEqual(['ann%']);
    expect(await idsOf('ann-')).toEqual(['ann-😀']);
    expect(await idsOf('x')).toEqual([]);
  });

  it('pages without gap or repetition', async () => {
    await add('a', 'b', 'c', 'd', 'e');
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.next_cursor! });
    const third = await list({ limit: 2, cursor: second.next_cursor! });
    const pages = [first, second, third].map(({ items }) => items.map(({ user_id }) => user_id));
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(third.next_cursor).toBeNull();
  });

  it('leaves out users of other tenants and those that were erased', async () => {
    await add('ada', 'bea');
    const { clock, ids } = fixture;
    const erasure = { userId: 'ada', actor: 'key:spec', key: Buffer.alloc(32, 3) };
    await fixture.inTenant(tenant, (tx) => eraseUser(tx, erasure, { clock, ids, randomBytes }));
    expect((await list()).items.map(({ user_id }) => user_id)).toEqual(['bea']);
    tenant = await fixture.addTenant();
    await add('cleo');
    expect((await list()).items.map(({ user_id }) => user_id)).toEqual(['cleo']);
  });

  it('rejects a cursor that it did not issue', async () => {
    await expect(list({ cursor: 'nonsense' })).rejects.toThrow(InvalidCursorError);
  });
});
