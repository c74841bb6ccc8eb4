import type { CompactionPlan } from '@annals/domain';
import { randomBytes } from 'node:crypto';
import { countApps, findApp, listApps, putApp } from '../apps/app-registry.js';
import { rememberConversation, type RememberOptions } from '../fixtures/app-memory.fixture.js';
import { buildMessage, post } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { storeMindWatermark } from '../minds/mind-watermarks.js';
import { eraseUser } from '../privacy/erase-user.js';
import { exportUser } from '../privacy/export-user.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import { loadSummarizableMessages } from '../summaries/load-summary-subject.js';
import { deleteAppMemory, purgeAppMemories, uninstallApp } from './delete-app-memories.js';
import { loadAppMemorySubject } from './load-app-memory-subject.js';
import { loadAppMemoryPool, lockAppMemoryPool } from './pool.js';
import { listAppMemories, markMemoriesInjected, readAppContext } from './read-app-memories.js';

const EVERYTHING = { userId: null, agentId: null };

describe('app memories', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let tenant: string;
  let count = 0;

  beforeAll(async () => {
    fixture = await StorageFixture.open({}, { asksMinds: true });
    tenant = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenant);
  });
  afterAll(() => fixture?.close());

  const now = () => fixture.clock.now();
  const request = () => ({ now: now(), ids: fixture.ids, trace: null });
  const deps = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });

  /** An app that is installed, under an id of its own. */
  const install = async (isShared = false) => {
    const appId = `app-${++count}`;
    await fixture.inTenant(tenant, (tx) => putApp(tx, { appId, name: 'Calendar', isShared, now: now() }));
    return { appId, isShared };
  };
  const share = (appId: string, isShared: boolean) =>
    fixture.inTenant(tenant, (tx) => putApp(tx, { appId, name: 'Calendar', isShared, now: now() }));
  const newUser = () => `user-${++count}`;
  /** A conversation of an app that has ended. */
  const converse = async (
    appId: string | null,
    userId: string,
    content = 'I like tea.',
    agentId: string | null = null,
  ) => {
    fixture.clock.advance(1_000);
    const messages = [buildMessage(content), buildMessage('Milk is out.')];
    const posted = await post(fixture, tenant, {
      userId,
      threadId: null,
      appId,
      agentId,
      end: true,
      flush: true,
      messages,
    });
    return posted.conversationId;
  };
  const remember = (conversationId: string, options?: RememberOptions) => {
    fixture.clock.advance(1_000);
    return rememberConversation(fixture, tenant, conversationId, options);
  };
  const poolOf = async (app: { appId: string; isShared: boolean }, userId: string) =>
    (await fixture.inTenant(tenant, (tx) => loadAppMemoryPool(tx, app, userId))).map(({ id }) => id);
  const list = async (appId: string, rest: Partial<Parameters<typeof listAppMemories>[2]> = {}) => {
    const page = await fixture.inTenant(tenant, (tx) =>
      listAppMemories(tx, appId, { view: EVERYTHING, limit: 50, ...rest }),
    );
    return page.items.map(({ id }) => id);
  };
  const context = (appId: string, userId: string, rest = {}) =>
    fixture.inTenant(tenant, (tx) =>
      readAppContext(tx, { appId, userId, agentId: null, conversationId: null, ...rest }),
    );
  const contextIds = async (appId: string, userId: string, rest = {}) =>
    (await context(appId, userId, rest))!.memories.map(({ id }) => id);
  const subject = async (conversationId: string) =>
    (await fixture.inTenant(tenant, (tx) => loadAppMemorySubject(tx, conversationId)))!;
  const stateOf = async (id: string) => {
    const [row] = await fixture.queryAsSuperuser<{ state: string; replaced_by: string | null; content: string }>(
      'SELECT state, replaced_by, content FROM app_memories WHERE id = $1',
      [id],
    );
    return row ?? null;
  };
  /** Merges the memory of a conversation into another one, as an edit of eleven does. */
  const mergeInto = (conversationId: string, targetId: string, content = 'Merged.') => {
    const id = fixture.ids.next();
    const plan: CompactionPlan = { removedIds: [id], edited: { id: targetId, content } };
    return remember(conversationId, { id, plan });
  };
  /** Conversations for which an app memory is asked for; empties the line. */
  const takeAsked = async () => {
    const rows = await fixture.queryAsSuperuser<{ subject_id: string }>(
      `DELETE FROM work WHERE kind = 'app_memory' RETURNING subject_id`,
    );
    return rows.map((row) => row.subject_id).toSorted();
  };
  const see = (conversationId: string) =>
    fixture.inTenant(tenant, (tx) =>
      storeMindWatermark(tx, {
        kind: 'app_memory',
        subjectId: conversationId,
        watermark: '1.0',
        failures: 0,
        now: now(),
      }),
    );
  const watermarkOf = async (conversationId: string) => {
    const [row] = await fixture.queryAsSuperuser<{ watermark: string | null }>(
      `SELECT watermark FROM mind_watermarks WHERE subject_id = $1 AND kind = 'app_memory'`,
      [conversationId],
    );
    return row?.watermark;
  };

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
    expect(await fixture.inTenant(tenant, (tx) => uninstallApp(tx, appId))).toBe(true);
    expect(await fixture.inTenant(tenant, (tx) => uninstallApp(tx, appId))).toBe(false);
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

  describe('rest on what may be read', () => {
    const FACT = 'I live in Lisbon.';
    /** A conversation with a fact that a memory holds, which hides its message when it is deleted. */
    const tell = async (appId: string, user: string) => {
      const conversation = await converse(appId, user, FACT);
      const [message] = await fixture.inTenant(tenant, (tx) => loadSummarizableMessages(tx, conversation, -1));
      const observed = recall.observe('The user lives in Lisbon.', {
        origin: 'extraction',
        sources: [{ messageId: message!.id, quote: FACT }],
      });
      const [memoryId] = await recall.write(user, observed);
      return { conversation, memoryId: memoryId!, messageId: message!.id };
    };
    const hide = (user: string, memoryId: string) => recall.write(user, { kind: 'delete', memoryId, by: 'user' });
    const restore = (user: string, memoryId: string) => recall.write(user, { kind: 'restore', memoryId });
    /** As a person deletes an app memory. */
    const discard = (id: string) => fixture.inTenant(tenant, (tx) => deleteAppMemory(tx, id, now()));
    type Told = Awaited<ReturnType<typeof tell>>;

    it('are withdrawn with a hidden message, also what was merged or retired, and asked for again', async () => {
      const { appId, isShared } = await install(true);
      const [ada, bob] = [newUser(), newUser()];
      const told = await tell(appId, ada);
      const other = await converse(appId, bob);
      const [first, beside] = [await remember(other), await remember(await converse(appId, bob))];
      const merged = await mergeInto(told.conversation, first.id, 'The user lives in Lisbon.');
      await see(other);
      await see(told.conversation);
      await takeAsked();
      await hide(ada, told.memoryId);
      expect([await stateOf(first.id), await stateOf(merged.id)]).toEqual([null, null]);
      expect(await poolOf({ appId, isShared }, bob)).toEqual([beside.id]);
      expect(await takeAsked()).toEqual([other, told.conversation].toSorted());
      expect([await watermarkOf(other), await subject(told.conversation)]).toMatchObject([null, { deletions: 1 }]);
    });

    it('stay when none of their messages is hidden, and are not asked for', async () => {
      const { appId } = await install();
      const user = newUser();
      const told = await tell(appId, user);
      const messages = await fixture.inTenant(tenant, (tx) => loadSummarizableMessages(tx, told.conversation, -1));
      const { id } = await remember(told.conversation, { messageIds: [messages[1]!.id] });
      await takeAsked();
      await hide(user, told.memoryId);
      expect([await contextIds(appId, user), await takeAsked()]).toEqual([[id], []]);
    });

    it('are asked for when messages come back', async () => {
      const { appId } = await install();
      const user = newUser();
      const told = await tell(appId, user);
      await remember(told.conversation);
      await see(told.conversation);
      await hide(user, told.memoryId);
      await takeAsked();
      await restore(user, told.memoryId);
      expect(await takeAsked()).toEqual([told.conversation]);
    });

    it.each<[string, (about: Told & { appId: string; user: string }) => Promise<unknown>]>([
      [
        'before the fact was',
        async ({ conversation, user, memoryId }) => {
          await discard((await remember(conversation)).id);
          await hide(user, memoryId);
        },
      ],
      [
        'as it was made without the fact',
        async ({ conversation, user, memoryId }) => {
          await remember(conversation);
          await hide(user, memoryId);
          const [left] = await fixture.inTenant(tenant, (tx) => loadSummarizableMessages(tx, conversation, -1));
          const { id } = await remember(conversation, { messageIds: [left!.id] });
          await see(conversation);
          await discard(id);
        },
      ],
      [
        'by a purge while it was to be made again',
        async ({ conversation, user, memoryId, appId }) => {
          await remember(conversation);
          await hide(user, memoryId);
          await fixture.inTenant(tenant, (tx) => purgeAppMemories(tx, { appId, userId: user }, request()));
        },
      ],
    ])('stay deleted by a person when the fact is restored: deleted %s', async (_when, lose) => {
      const { appId } = await install();
      const user = newUser();
      const told = await tell(appId, user);
      await see(told.conversation);
      await lose({ ...told, appId, user });
      await takeAsked();
      await restore(user, told.memoryId);
      expect(await takeAsked()).toEqual([]);
      // It went on, and was remembered again.
      await remember(told.conversation);
      await see(told.conversation);
      await hide(user, told.memoryId);
      await takeAsked();
      await restore(user, told.memoryId);
      expect(await takeAsked()).toEqual([told.conversation]);
    });

    it('stay deleted with all that was merged into them, but for what another memory rests on', async () => {
      const { appId } = await install();
      const user = newUser();
      const [told, other] = [await tell(appId, user), await converse(appId, user)];
      await see(told.conversation);
      await see(other);
      const target = await remember(other);
      await mergeInto(told.conversation, target.id);
      const again = await remember(told.conversation);
      await discard(target.id);
      await hide(user, told.memoryId);
      expect(await stateOf(again.id)).toBeNull();
      await takeAsked();
      await restore(user, told.memoryId);
      expect(await takeAsked()).toEqual([told.conversation]);
    });

    it('are not made of a conversation that no run has seen when a fact of it is restored', async () => {
      const user = newUser();
      const appId = `app-${++count}`;
      const told = await tell(appId, user);
      await takeAsked();
      await fixture.inTenant(tenant, (tx) => putApp(tx, { appId, name: 'Late', isShared: false, now: now() }));
      await hide(user, told.memoryId);
      await restore(user, told.memoryId);
      expect(await takeAsked()).toEqual([]);
    });

    it.each<[string, (user: string, batchId: string) => Promise<unknown>]>([
      ['when its batch is indexed', (_user, batchId) => recall.index(batchId)],
      ['by a job', (user) => recall.reindex(user)],
    ])('are asked for again when a turn is found to repeat what was deleted, %s', async (_how, find) => {
      const { appId } = await install(true);
      const [ada, bob] = [newUser(), newUser()];
      const told = await tell(appId, ada);
      const repeated = await converse(appId, ada, FACT);
      const [batch] = await fixture.queryAsSuperuser<{ id: string }>(
        'SELECT id FROM batches WHERE conversation_id = $1',
        [repeated],
      );
      await hide(ada, told.memoryId);
      const [other, alone] = [await converse(appId, bob), await converse(appId, bob)];
      const [target, stays] = [await remember(other), await remember(alone)];
      await mergeInto(repeated, target.id, 'The user lives in Lisbon.');
      await Promise.all([other, repeated, alone].map(see));
      await takeAsked();
      await find(ada, batch!.id);
      expect([await stateOf(target.id), (await stateOf(stays.id))?.state]).toEqual([null, 'active']);
      expect(await takeAsked()).toEqual([other, repeated].toSorted());
      expect(await Promise.all([other, repeated, alone].map(watermarkOf))).toEqual([null, null, '1.0']);
    });

    it('are not written from a message that was hidden meanwhile', async () => {
      const { appId } = await install();
      const user = newUser();
      const told = await tell(appId, user);
      await hide(user, told.memoryId);
      expect(await remember(told.conversation, { messageIds: [told.messageId] })).toMatchObject({ outcome: 'hidden' });
      expect(await list(appId)).toEqual([]);
    });

    it('are not served when a process of the release before hid a message', async () => {
      const { appId, isShared } = await install();
      const user = newUser();
      const told = await tell(appId, user);
      const { id } = await remember(told.conversation);
      await fixture.queryAsSuperuser('UPDATE messages SET hidden_at = now() WHERE id = $1', [told.messageId]);
      expect(await stateOf(id)).toMatchObject({ state: 'active' });
      expect([await contextIds(appId, user), await list(appId), await poolOf({ appId, isShared }, user)]).toEqual([
        [],
        [],
        [],
      ]);
    });
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
