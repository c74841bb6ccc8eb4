import { acceptMessages, closeVault, openVault, sqlState } from '@annals/storage';
import { newMessage, newPost, sized } from '@annals/testing';
import { ProjectionFixture } from './projection.fixture.js';

describe('writers of a user who has a vault', () => {
  let fixture: ProjectionFixture;

  beforeAll(async () => {
    fixture = await ProjectionFixture.open();
  });
  afterAll(() => fixture?.close());

  const postTo = (userId: string, threadId: string) => {
    const now = fixture.clock.now();
    return newPost([newMessage('Another.', now, { externalId: fixture.ids.next() })], now, { userId, threadId });
  };

  it.each(['off', 'on'])('post and delete at the same time, with the vault %s', { timeout: 120_000 }, async (is) => {
    await (is === 'on' ? openVault(fixture.database) : closeVault(fixture.database, { abandons: false }));
    const user = `busy-${is}`;
    const [said] = await fixture.post(user, 'kitchen', 'I have dogs.');
    const memoryIds: string[] = [];
    for (let n = 0; n < sized(20, 200); n += 1)
      memoryIds.push(await fixture.add(user, `The user has dog number ${n}.`, [said!]));
    const errors: unknown[] = [];
    const note = (error: unknown) => void errors.push(sqlState(error) ?? error);
    const over = new AbortController();
    const post = () =>
      fixture.database
        .inTenant(fixture.tenantId, (tx) => acceptMessages(tx, postTo(user, 'kitchen'), fixture.ids))
        .catch(note);
    const posting = (async () => {
      while (!over.signal.aborted) await Promise.all([post(), post()]);
    })();
    for (const memoryId of memoryIds) await fixture.change(user, { kind: 'delete', memoryId, by: 'user' }).catch(note);
    over.abort();
    await posting;
    expect(errors).toEqual([]);
  });

  it('post to two threads without waiting for each other', async () => {
    await openVault(fixture.database);
    await fixture.post('two', 'a', 'Hello.');
    await fixture.post('two', 'b', 'Hello.');
    await fixture.database.inTenant(fixture.tenantId, async (tx) => {
      await acceptMessages(tx, postTo('two', 'a'), fixture.ids);
      // Its statements end while this transaction is open; its commit is that of a transaction that was rolled back.
      const isAccepted = new Error('The other post has come as far as this.');
      const other = fixture.database.inTenant(fixture.tenantId, async (next) => {
        await acceptMessages(next, postTo('two', 'b'), fixture.ids);
        throw isAccepted;
      });
      await expect(other).rejects.toBe(isAccepted);
    });
  });
});
