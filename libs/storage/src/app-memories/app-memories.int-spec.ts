import { countApps, findApp, listApps, putApp } from '../apps/app-registry.js';
import { eraseUser } from '../privacy/erase-user.js';
import { exportUser } from '../privacy/export-user.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import { deleteAppMemory, purgeAppMemories, uninstallApp } from './delete-app-memories.js';
import { loadAppMemoryPool, lockAppMemoryPool } from './pool.js';
import { markMemoriesInjected, readAppContext } from './read-app-memories.js';
import { openApps } from '../fixtures/apps.fixture.js';

const {
  fixture,
  tenant,
  now,
  request,
  deps,
  install,
  share,
  newUser,
  converse,
  remember,
  poolOf,
  list,
  context,
  contextIds,
  subject,
  stateOf,
  mergeInto,
  takeAsked,
  see,
  watermarkOf,
  close,
} = await openApps();
afterAll(close);

describe('app memories', () => {
  it('installs, changes, lists and uninstalls apps, which leaves their memories', async () => {
    const { appId } = await install();
    const user = newUser();
    const { id } = await remember(await converse(appId, user));
    const pending = await remember(await converse(appId, user), { state: 'pending' });
    await fixture.inTenant(tenant, (tx) => putApp(tx, { appId, name: 'Mail', isShared: undefined, now: now() }));
    expect(await fixture.inTenant(tenant, (tx) => findApp(tx, appId))).toMatchObject({ name: 'Mail', isShared: false });
    const counted = await countApps(fixture.database);
    await install();
    expect(await countApps(fixture.database)).toEqual({ ...counted, apps: counted.apps + 1 });
    const first = await fixture.inTenant(tenant, (tx) => listApps(tx, { limit: 1 }));
    const rest = await fixture.inTenant(tenant, (tx) => listApps(tx, { limit: 50, cursor: first.next_cursor! }));
    expect(first.items.length + rest.items.length).toBe(counted.apps + 1);
    const another = await fixture.addTenant();
    expect(await fixture.inTenant(another, (tx) => findApp(tx, appId))).toBeNull();
    expect(await fixture.inTenant(tenant, (tx) => uninstallApp(tx, appId, fixture.clock.now()))).toBe(true);
    expect(await fixture.inTenant(tenant, (tx) => uninstallApp(tx, appId, fixture.clock.now()))).toBe(false);
    expect(await countApps(fixture.database)).toEqual({ apps: counted.apps, withMemories: counted.withMemories - 1 });
    expect([await list(appId), await context(appId, user), await stateOf(pending.id)]).toEqual([[id], null, null]);
  });

  it('shows a run its conversation, and writes what waited under the same id', async () => {
    const { appId } = await install();
    const user = newUser();
    const conversation = await converse(appId, user);
    expect(await subject(conversation)).toMatchObject({
      userId: user,
      appId,
      app: { name: 'Calendar' },
      lastSeq: 1,
      deletions: 0,
      summary: null,
      pending: null,
      own: null,
    });
    const { id } = await remember(conversation, { state: 'pending', content: 'The user likes tea.' });
    const { pending, own } = await subject(conversation);
    expect([pending, own]).toMatchObject([{ id, asOfSeq: 1, content: 'The user likes tea.', provider: 'local' }, null]);
    expect(pending!.messageIds).toHaveLength(2);
    expect([await list(appId), await contextIds(appId, user), await poolOf({ appId, isShared: false }, user)]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await remember(conversation, { ...pending, state: 'active' })).toMatchObject({
      outcome: 'written',
      active: 1,
    });
    expect(await subject(conversation)).toMatchObject({
      pending: null,
      own: { id, sourceConversationIds: [conversation] },
    });
    const later = await remember(conversation, { replaces: id });
    expect(await stateOf(id)).toMatchObject({ state: 'superseded', replaced_by: later.id });
    expect(await poolOf({ appId, isShared: false }, user)).toEqual([later.id]);
    const unknown = await converse(null, user);
    expect(await subject(unknown)).toMatchObject({ appId: null, app: null });
  });

  it('keeps ten, by a decision or by the oldest, and never writes an eleventh', async () => {
    const { appId } = await install();
    const user = newUser();
    const ids: string[] = [];
    for (let made = 0; made < 10; made += 1) ids.push((await remember(await converse(appId, user))).id);
    await expect(remember(await converse(appId, user))).rejects.toThrow(/11 active app memories/);
    const eleventh = await converse(appId, user);
    const plan = { removedIds: [ids[0]!], edited: null };
    expect(await remember(eleventh, { plan })).toMatchObject({ active: 10, removed: 1 });
    expect(await stateOf(ids[0]!)).toMatchObject({ state: 'removed', replaced_by: null });
    const twelfth = await converse(appId, user);
    const merged = await mergeInto(twelfth, ids[1]!, 'The user likes tea and milk.');
    expect(merged).toMatchObject({ active: 10, removed: 1 });
    expect(await stateOf(merged.id)).toMatchObject({ state: 'superseded', replaced_by: ids[1] });
    const pool = await fixture.inTenant(tenant, (tx) => loadAppMemoryPool(tx, { appId, isShared: false }, user));
    const target = pool.find(({ id }) => id === ids[1])!;
    expect(target).toMatchObject({ content: 'The user likes tea and milk.' });
    expect(target.sourceConversationIds).toContain(twelfth);
    expect(target.createdAt).toBeLessThan(target.updatedAt);
    const dropped = fixture.ids.next();
    await remember(await converse(appId, user), { id: dropped, plan: { removedIds: [dropped], edited: null } });
    expect(await stateOf(dropped)).toMatchObject({ state: 'removed' });
    expect(await subject(twelfth)).toMatchObject({ own: null });
  });

  it('keeps the ten that went last, so that the table does not grow', async () => {
    const { appId } = await install();
    const conversation = await converse(appId, newUser());
    const ids: string[] = [];
    for (let end = 0; end < 13; end += 1) {
      ids.push((await remember(conversation, { replaces: ids.at(-1) ?? null })).id);
    }
    const kept = await Promise.all(ids.map(stateOf));
    expect(kept.map((row) => row?.state ?? 'gone')).toEqual([
      'gone',
      'gone',
      ...Array.from({ length: 10 }, () => 'superseded'),
      'active',
    ]);
  });

  it('keeps apps, users and tenants apart, and serves a shared pool to all users of its app', async () => {
    const [one, other] = [await install(), await install()];
    const [ada, bob] = [newUser(), newUser()];
    const ofAda = await remember(await converse(one.appId, ada));
    const ofBob = await remember(await converse(one.appId, bob));
    expect([await contextIds(one.appId, ada), await contextIds(one.appId, bob)]).toEqual([[ofAda.id], [ofBob.id]]);
    expect([await contextIds(other.appId, ada), await list(other.appId)]).toEqual([[], []]);
    const stranger = await fixture.addTenant();
    await fixture.inTenant(stranger, (tx) => putApp(tx, { appId: one.appId, name: 'x', isShared: true, now: now() }));
    const read = { appId: one.appId, userId: ada, agentId: null, conversationId: null };
    expect((await fixture.inTenant(stranger, (tx) => readAppContext(tx, read)))!.memories).toEqual([]);
    await share(one.appId, true);
    expect(await contextIds(one.appId, ada)).toEqual([ofBob.id, ofAda.id]);
  });

  it('serves what was merged of two people to nobody once the pool is no longer shared', async () => {
    const { appId } = await install(true);
    const [ada, bob] = [newUser(), newUser()];
    const { id } = await remember(await converse(appId, ada));
    await mergeInto(await converse(appId, bob), id);
    expect([await contextIds(appId, ada), await contextIds(appId, bob)]).toEqual([[id], [id]]);
    expect(await list(appId, { view: { userId: ada, agentId: null } })).toEqual([]);
    await share(appId, false);
    expect([await contextIds(appId, ada), await contextIds(appId, bob)]).toEqual([[], []]);
    expect(await poolOf({ appId, isShared: false }, ada)).toEqual([]);
    const lock = (isShared: boolean) =>
      fixture.inTenant(tenant, (tx) => lockAppMemoryPool(tx, { appId, isShared }, ada));
    expect([await lock(false), await lock(true)]).toEqual([true, false]);
  });

  it('shows an agent only what rests on conversations alone that it began', async () => {
    const { appId } = await install();
    const user = newUser();
    const mine = await remember(await converse(appId, user, 'I like tea.', 'planner'));
    const merged = await remember(await converse(appId, user, 'I like milk.', 'planner'));
    const theirs = await converse(appId, user, 'I like bread.', 'stylist');
    await mergeInto(theirs, merged.id);
    const planner = { agentId: 'planner' };
    expect(await contextIds(appId, user, planner)).toEqual([mine.id]);
    expect(await list(appId, { view: { userId: null, ...planner } })).toEqual([mine.id]);
    expect(await context(appId, user, { ...planner, conversationId: theirs })).toMatchObject({ conversation: null });
  });

  it('counts a conversation once as one with memories, and only one of its app and user', async () => {
    const { appId } = await install();
    const user = newUser();
    const conversation = await converse(appId, user);
    const named = { conversationId: conversation };
    expect(await context(appId, user, named)).toMatchObject({ conversation: { isInjected: false } });
    const mark = () => fixture.inTenant(tenant, (tx) => markMemoriesInjected(tx, conversation, now()));
    expect([await mark(), await mark()]).toEqual([true, false]);
    expect(await context(appId, user, named)).toMatchObject({ conversation: { isInjected: true } });
    expect(await context(appId, newUser(), named)).toMatchObject({ conversation: null });
    const other = await install();
    expect(await context(other.appId, user, named)).toMatchObject({ conversation: null });
  });

  describe('go', () => {
    it('with a forgotten conversation, also merged ones, and the other conversations are asked for', async () => {
      const { appId } = await install();
      const user = newUser();
      const [gone, other, apart] = [
        await converse(appId, user),
        await converse(appId, user),
        await converse(appId, user),
      ];
      const [target, stays] = [await remember(other), await remember(apart)];
      const merged = await mergeInto(gone, target.id);
      await see(other);
      await takeAsked();
      const command = { conversationId: gone, actor: 'key:1', acceptingRoute: 'POST /v1/conversations' };
      const forgotten = await fixture.inTenant(tenant, (tx) => forgetConversation(tx, command, deps()));
      expect(forgotten!.counts).toMatchObject({ app_memories: 2 });
      expect([await stateOf(target.id), await stateOf(merged.id), await list(appId)]).toEqual([null, null, [stays.id]]);
      expect([await takeAsked(), await watermarkOf(other)]).toEqual([[other], null]);
    });

    it('with an erased person, also what was merged into the memory of another one', async () => {
      const { appId } = await install(true);
      const [ada, bob] = [newUser(), newUser()];
      const ofBob = await converse(appId, bob);
      const target = await remember(ofBob);
      const [alone, merged] = [
        await remember(await converse(appId, ada)),
        await mergeInto(await converse(appId, ada), target.id),
      ];
      await takeAsked();
      const command = { userId: ada, actor: 'key:1', key: Buffer.alloc(32, 3) };
      const erased = await fixture.inTenant(tenant, (tx) => eraseUser(tx, command, deps()));
      expect(erased!.receipt.counts).toMatchObject({ app_memories: 3 });
      expect(await Promise.all([target.id, alone.id, merged.id].map(stateOf))).toEqual([null, null, null]);
      expect(await fixture.queryAsSuperuser('SELECT FROM app_memory_sources WHERE user_id = $1', [ada])).toEqual([]);
      expect(await takeAsked()).toEqual([ofBob]);
    });

    it('by a purge: all of an app, or those that rest on a person', async () => {
      const { appId } = await install(true);
      const [ada, bob] = [newUser(), newUser()];
      const [first, second] = [await converse(appId, bob), await converse(appId, bob)];
      const target = await remember(first);
      await mergeInto(await converse(appId, ada), target.id);
      const [stays, replaced] = [await remember(second), await remember(await converse(appId, ada))];
      await takeAsked();
      const purge = (userId?: string) =>
        fixture.inTenant(tenant, (tx) => purgeAppMemories(tx, { appId, userId }, request()));
      expect(await purge(ada)).toBe(2);
      expect([await list(appId), await stateOf(replaced.id), await takeAsked()]).toEqual([[stays.id], null, [first]]);
      await remember(second, { replaces: stays.id });
      expect(await purge()).toBe(1);
      expect(await fixture.queryAsSuperuser('SELECT FROM app_memories WHERE app_id = $1', [appId])).toEqual([]);
      expect(await takeAsked()).toEqual([]);
    });

    it('by a purge with the work that would bring them back, of the app and the person alone', async () => {
      const [app, beside] = [await install(), await install()];
      const [ada, bob] = [newUser(), newUser()];
      await takeAsked();
      await converse(app.appId, ada);
      const stays = [await converse(app.appId, bob), await converse(beside.appId, ada)];
      const purge = (userId?: string) =>
        fixture.inTenant(tenant, (tx) => purgeAppMemories(tx, { appId: app.appId, userId }, request()));
      const asked = async () => {
        const rows = await fixture.queryAsSuperuser<{ subject_id: string }>(
          `SELECT subject_id FROM work WHERE kind = 'app_memory'`,
        );
        return rows.map((row) => row.subject_id).toSorted();
      };
      await purge(ada);
      expect(await asked()).toEqual(stays.toSorted());
      await purge();
      expect(await takeAsked()).toEqual([stays[1]]);
    });

    it('one by one, with all that they replaced', async () => {
      const { appId } = await install();
      const user = newUser();
      const conversation = await converse(appId, user);
      const old = await remember(conversation);
      const { id } = await remember(conversation, { replaces: old.id });
      const merged = await mergeInto(await converse(appId, user), id);
      const stays = await remember(await converse(appId, user));
      await fixture.inTenant(tenant, (tx) => deleteAppMemory(tx, id, now()));
      expect(await Promise.all([id, old.id, merged.id].map(stateOf))).toEqual([null, null, null]);
      expect(await list(appId)).toEqual([stays.id]);
    });
  });

  it('are exported with the person in any state, without the words of others', async () => {
    const { appId } = await install(true);
    const [ada, bob] = [newUser(), newUser()];
    const target = await remember(await converse(appId, bob), { content: 'Bob likes milk.' });
    const merged = await mergeInto(await converse(appId, ada), target.id, 'Ada likes tea. Bob likes milk.');
    const pending = await remember(await converse(appId, ada), { state: 'pending', content: 'Ada likes bread.' });
    let text = '';
    for await (const part of (await exportUser(fixture.database, tenant, ada, fixture.clock))!) text += part;
    const lines = text.split('\n').filter((line) => line.includes('"kind":"app_memory"'));
    const rows = lines.map(
      (line) => (JSON.parse(line) as { data: { id: string; content?: string; sources: object[] } }).data,
    );
    expect(Object.fromEntries(rows.map(({ id, content }) => [id, content]))).toEqual({
      [target.id]: undefined,
      [merged.id]: `Memory ${merged.id}.`,
      [pending.id]: 'Ada likes bread.',
    });
    expect(rows.map(({ sources }) => sources.length)).toEqual([2, 2, 2]);
    expect(text).not.toContain(bob);
    expect(text).not.toContain('Bob');
  });
});
