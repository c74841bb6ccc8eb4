import { putApp } from '../apps/app-registry.js';
import { loadSummarizableMessages } from '../summaries/load-summary-subject.js';
import { deleteAppMemory, purgeAppMemories } from './delete-app-memories.js';
import { openApps } from '../fixtures/apps.fixture.js';

const {
  fixture,
  recall,
  tenant,
  now,
  request,
  install,
  newUser,
  converse,
  remember,
  poolOf,
  list,
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

describe('app memories that rest on what may be read', () => {
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
    const appId = 'installed-later';
    const told = await tell(appId, user);
    await takeAsked();
    await fixture.inTenant(tenant, (tx) => putApp(tx, { appId, name: 'Late', isShared: false, now: now() }));
    await hide(user, told.memoryId);
    await restore(user, told.memoryId);
    expect(await takeAsked()).toEqual([]);
  });

  type Found = Readonly<Record<'before' | 'find', (user: string, batchId: string) => Promise<unknown>>>;
  it.each<[string, Found]>([
    ['when its batch is indexed', { before: () => Promise.resolve(), find: (_user, batchId) => recall.index(batchId) }],
    // Of an index from before the notes of echoes.
    [
      'by a job',
      {
        before: (_user, batchId) => recall.index(batchId),
        find: (user) => recall.reindex(user),
      },
    ],
  ])('are asked for again when a turn is found to repeat what was deleted, %s', async (_how, { before, find }) => {
    const { appId } = await install(true);
    const [ada, bob] = [newUser(), newUser()];
    const told = await tell(appId, ada);
    const repeated = await converse(appId, ada, FACT);
    const [batch] = await fixture.queryAsSuperuser<{ id: string }>(
      'SELECT id FROM batches WHERE conversation_id = $1',
      [repeated],
    );
    await before(ada, batch!.id);
    await hide(ada, told.memoryId);
    await fixture.queryAsSuperuser('UPDATE messages SET echo_of = NULL WHERE conversation_id = $1', [repeated]);
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
