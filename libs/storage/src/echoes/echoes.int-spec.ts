import type { NewMemory, RecallCandidate } from '@annals/domain';
import type { NewMessage } from '../conversations/accept-messages.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { loadBatchConversation } from '../batches/load-batch-conversation.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import type { RecallSearch } from '../query/recall-search.js';
import { randomBytes } from 'node:crypto';

const DAY = 86_400_000;
const LISBON = 'The user lives in Lisbon.';
const PORTO = 'The user lives in Porto.';
const SAID = 'I live in Lisbon.';
const ECHO = 'Great that you live in Lisbon!';

describe('echoes of memories that are over', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let start: number;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
  });
  beforeEach(() => {
    start = fixture.clock.now();
  });
  afterAll(() => fixture.close());

  const turn = async (user: string, content: string, extra: Partial<RecallSearch> = {}) =>
    (await recall.candidates(user, content, { types: ['turn'], ...extra })).find((found) => found.content === content);
  const summary = (found: RecallCandidate | undefined) =>
    found && { superseded: found.superseded, supersededBy: found.supersededBy };
  const assistant = (content: string) => ({ role: 'assistant' as const, content });
  /** Posts and indexes messages, by default of the user and said now. */
  const say = (user: string, thread: string, ...turns: (string | Partial<NewMessage>)[]) =>
    recall.postAndIndexTurns(
      user,
      thread,
      ...turns.map((said) => ({
        saidAt: fixture.clock.now(),
        ...(typeof said === 'string' ? { content: said } : said),
      })),
    );
  const observe = (content: string, fields: Partial<NewMemory> = {}) =>
    recall.observe(content, { origin: 'extraction', ...fields });
  const evidence = async (user: string, quote: string) => ({
    sources: [{ messageId: await recall.messageId(user, quote), quote }],
  });
  const advance = (days: number) => fixture.clock.reset(fixture.clock.now() + days * DAY);
  const at = (days: number) => new Date(start + days * DAY).toISOString();

  /** Lisbon is told and echoed on day 0; on day 10 it is replaced by Porto. */
  const move = async (user: string) => {
    await say(user, 't', SAID, assistant(ECHO), assistant('Lisbon has mild winters.'));
    const [lisbon] = await recall.write(user, observe(LISBON, await evidence(user, SAID)));
    advance(10);
    await say(user, 't', 'I live in Porto now.');
    const [porto] = await recall.write(user, observe(PORTO, await evidence(user, 'I live in Porto now.')));
    return { lisbon: lisbon!, porto: porto! };
  };
  const WHOLLY = (supersededBy: string) => ({ superseded: 'wholly', supersededBy });
  const NO = { superseded: 'no', supersededBy: null };

  it('are over with them, and what only shares their words is not', async () => {
    const { porto } = await move('ends');
    expect(summary(await turn('ends', SAID))).toEqual(WHOLLY(porto));
    expect(summary(await turn('ends', ECHO))).toEqual(WHOLLY(porto));
    expect(summary(await turn('ends', 'Lisbon has mild winters.'))).toEqual(NO);
    expect((await turn('ends', ECHO))!.validTo).toBe(start + 10 * DAY);
    expect(await turn('ends', ECHO, { currentOnly: true })).toBeUndefined();
    expect(summary(await turn('ends', ECHO, { asOf: at(5) }))).toEqual(NO);
    expect(summary(await turn('ends', ECHO, { asOf: at(5), currentOnly: true }))).toEqual(NO);
    expect(summary(await turn('ends', ECHO, { knownAt: at(5) }))).toEqual(NO);
  });

  it('name what holds at the end of a chain, or held at the time of the query', async () => {
    const { porto } = await move('chain');
    advance(10);
    await say('chain', 't', 'I live in Faro now.');
    const [faro] = await recall.write(
      'chain',
      observe('The user lives in Faro.', await evidence('chain', 'I live in Faro now.')),
    );
    expect(summary(await turn('chain', ECHO))).toEqual(WHOLLY(faro!));
    expect(summary(await turn('chain', ECHO, { asOf: at(15) }))).toEqual(WHOLLY(porto));
  });

  it('name nothing that was deleted, and are over still', async () => {
    const { porto } = await move('left');
    await recall.write('left', { kind: 'delete', memoryId: porto, by: 'ttl' });
    for (const content of [SAID, ECHO]) {
      expect(summary(await turn('left', content))).toEqual({ superseded: 'wholly', supersededBy: null });
      expect(await turn('left', content, { currentOnly: true })).toBeUndefined();
    }
  });

  it('are told from what the caller may see alone', async () => {
    await say('view', 't', SAID, assistant(ECHO));
    const [lisbon] = await recall.write('view', observe(LISBON, await evidence('view', SAID)));
    const found = async (visibleCategories: string[] | null) => {
      const [said, echo] = [
        await turn('view', SAID, { visibleCategories }),
        await turn('view', ECHO, { visibleCategories }),
      ];
      const current = await turn('view', SAID, { visibleCategories, currentOnly: true });
      return { said, echo, isLeftOut: current === undefined };
    };
    advance(10);
    const memory = recall.memory(PORTO, { category: 'goals' });
    const [porto] = await recall.write('view', { kind: 'supersede', memoryId: lisbon!, memory });
    const all = await found(null);
    expect([all.said, all.echo].map(summary)).toEqual([WHOLLY(porto!), WHOLLY(porto!)]);
    expect(all.isLeftOut).toBe(true);
    expect(await found(['activity', 'preferences', 'goals'])).toEqual(all);
    const untold = { supersededBy: null, validTo: null };
    // Its own memory ended, as one does that nothing took the place of.
    const withoutSuccessor = await found(['activity', 'preferences']);
    expect(withoutSuccessor).toMatchObject({ said: { superseded: 'partly', ...untold }, isLeftOut: false });
    expect(withoutSuccessor.echo).toMatchObject({ superseded: 'no', ...untold });
    for (const categories of [['activity'], ['activity', 'goals']]) {
      const unseen = await found(categories);
      expect(unseen).toMatchObject({ said: { superseded: 'no', ...untold }, isLeftOut: false });
      expect(unseen.echo).toMatchObject({ superseded: 'no', ...untold });
    }
  });

  it('hold again with the old value, and are found when they are indexed after the end', async () => {
    const { lisbon, porto } = await move('late');
    await say('late', 'import', {
      ...assistant('So you live in Lisbon.'),
      saidAt: start + DAY,
    });
    expect(summary(await turn('late', 'So you live in Lisbon.'))).toEqual(WHOLLY(porto));
    // Said after the end was reported: nobody knows what it ends.
    await say('late', 'now', {
      ...assistant('You live in Lisbon, right.'),
      saidAt: start + 11 * DAY,
    });
    expect(summary(await turn('late', 'You live in Lisbon, right.'))).toEqual(NO);
    advance(10);
    await recall.write('late', observe(LISBON));
    expect(summary(await turn('late', ECHO))).toEqual(NO);
    expect(lisbon).not.toBe(porto);
  });

  it.each(['user', 'ttl'] as const)('stay over when what followed is deleted by %s, then purged', async (by) => {
    const user = `dangling-${by}`;
    const { porto } = await move(user);
    const over = async (extra: Partial<RecallSearch> = {}) => [
      summary(await turn(user, SAID, extra)),
      summary(await turn(user, ECHO, extra)),
    ];
    const nameless = { superseded: 'wholly', supersededBy: null };
    await recall.write(user, { kind: 'delete', memoryId: porto, by });
    expect(await over()).toEqual([nameless, nameless]);
    expect(await over({ currentOnly: true })).toEqual([undefined, undefined]);
    advance(31);
    await recall.write(user, { kind: 'purge', memoryId: porto });
    expect(await over()).toEqual([nameless, nameless]);
    expect((await turn(user, ECHO))!.validTo).toBe(start + 10 * DAY);
    for (const visibleCategories of [null, ['preferences']]) {
      expect(await over({ currentOnly: true, visibleCategories })).toEqual([undefined, undefined]);
    }
  });

  it('are not over before what they say began or was recorded', async () => {
    await say('early', 't', SAID, assistant(ECHO));
    advance(10);
    // Extracted late: at first nobody knew it, and it is said to hold later than it was told.
    await recall.write('early', observe(LISBON, { ...(await evidence('early', SAID)), validFrom: start + 4 * DAY }));
    advance(10);
    await say('early', 't', 'I live in Porto now.');
    const [porto] = await recall.write('early', observe(PORTO, await evidence('early', 'I live in Porto now.')));
    for (const said of [SAID, ECHO]) {
      expect(summary(await turn('early', said))).toEqual(WHOLLY(porto!));
      expect(summary(await turn('early', said, { asOf: at(2) }))).toEqual(NO);
      expect(summary(await turn('early', said, { knownAt: at(5) }))).toEqual(NO);
      expect(summary(await turn('early', said, { knownAt: at(15) }))).toEqual(NO);
      expect(summary(await turn('early', said, { asOf: at(2), currentOnly: true }))).toEqual(NO);
    }
  });

  it('end when, and name what, was known to follow then', async () => {
    await move('known');
    advance(10);
    // Tells of a time before Porto: Lisbon ended earlier than it was known to until now.
    await say('known', 't', 'I moved to Faro.');
    const [faro] = await recall.write(
      'known',
      observe('The user lives in Faro.', {
        ...(await evidence('known', 'I moved to Faro.')),
        validFrom: start + 5 * DAY,
        saidAt: start + 5 * DAY,
      }),
    );
    const before = await turn('known', ECHO, { knownAt: at(15) });
    expect([before!.superseded, before!.validTo]).toEqual(['wholly', start + 10 * DAY]);
    expect(before!.supersededBy).not.toBe(faro);
    const after = await turn('known', ECHO);
    expect([after!.superseded, after!.validTo]).toEqual(['wholly', start + 5 * DAY]);
  });

  it('are not over when their memory was merged into one that means the same', async () => {
    const home = 'My home is in Lisbon.';
    await say('merged', 't', home);
    const [kept] = await recall.write(
      'merged',
      observe("The user's home is in Lisbon.", await evidence('merged', home)),
    );
    advance(1);
    await say('merged', 't', SAID);
    const [repeated] = await recall.write('merged', observe(LISBON, await evidence('merged', SAID)));
    // An import of what was said between the two, which is found when one of them is deleted for a while.
    await say('merged', 'import', { ...assistant(ECHO), saidAt: start + DAY / 2 });
    await recall.write('merged', { kind: 'delete', memoryId: repeated!, by: 'user' });
    await recall.write('merged', { kind: 'restore', memoryId: repeated! });
    await recall.write('merged', {
      kind: 'compare',
      memoryId: repeated!,
      statement: { content: LISBON, type: 'semantic' },
      same: [{ memoryId: kept!, revision: 1 }],
    });
    const [row] = await fixture.queryAsSuperuser<{ superseded_by: string; echo_of: string[] | null }>(
      `SELECT m.superseded_by, g.echo_of FROM memories m, messages g
        WHERE m.id = $1 AND g.id = $2`,
      [repeated, await recall.messageId('merged', ECHO)],
    );
    expect(row).toEqual({ superseded_by: kept, echo_of: [repeated] });
    expect(summary(await turn('merged', ECHO))).toEqual(NO);
  });

  it('do not keep turns that hold from an answer that leaves out what is over', async () => {
    await say('crowded', 't', SAID, ...Array.from({ length: 6 }, () => assistant(ECHO)));
    await recall.write('crowded', observe(LISBON, await evidence('crowded', SAID)));
    const winters = 'The winters of Lisbon are mild and rainy, and the summers dry and sunny.';
    advance(10);
    await say('crowded', 't', 'I live in Porto now.', assistant(winters));
    await recall.write('crowded', observe(PORTO, await evidence('crowded', 'I live in Porto now.')));
    const few = { types: ['turn' as const], limit: 1 };
    expect(await recall.contents('crowded', 'live Lisbon', few)).not.toContain(winters);
    expect(await recall.contents('crowded', 'Lisbon', { ...few, currentOnly: true })).toContain(winters);
  });

  it('end with a correction that names an earlier date than theirs', async () => {
    await say('earlier', 't', SAID, assistant(ECHO));
    await recall.write('earlier', observe(LISBON, await evidence('earlier', SAID)));
    advance(10);
    await say('earlier', 't', 'I moved to Porto last month.');
    const [porto] = await recall.write(
      'earlier',
      observe('The user moved to Porto.', {
        ...(await evidence('earlier', 'I moved to Porto last month.')),
        validFrom: start - 20 * DAY,
      }),
    );
    expect(summary(await turn('earlier', ECHO))).toEqual(WHOLLY(porto!));
  });

  it('are hidden with a deleted memory, by an audited id, until it is restored', async () => {
    await say('deleted', 't', SAID, assistant(ECHO), 'Lisbon is sunny today.');
    await say('deleted', 'other', 'I reside in Lisbon these days.');
    const [lisbon] = await recall.write('deleted', observe(LISBON, await evidence('deleted', SAID)));
    const found = () => recall.contents('deleted', 'Lisbon', { types: ['turn'] });
    const all = await found();
    await recall.write('deleted', { kind: 'delete', memoryId: lisbon!, by: 'user' });
    expect(await found()).toEqual(['Lisbon is sunny today.']);
    const [row] = await fixture.queryAsSuperuser<{ hides: string[] }>(
      `SELECT meta -> 'hides' AS hides FROM history WHERE memory_id = $1 AND event = 'DELETE'`,
      [lisbon],
    );
    const hidden = await Promise.all(
      [SAID, ECHO, 'I reside in Lisbon these days.'].map((content) => recall.messageId('deleted', content)),
    );
    expect(row!.hides).toEqual(hidden.toSorted());
    await recall.write('deleted', { kind: 'restore', memoryId: lisbon! });
    expect(await found()).toEqual(all);
  });

  it('are hidden when they come after the deletion, unless the user tells it anew', async () => {
    const [lisbon] = await recall.remember('after', LISBON);
    await recall.write('after', { kind: 'delete', memoryId: lisbon!, by: 'user' });
    advance(1);
    const batch = await say('after', 't', assistant(ECHO), {
      content: 'We live in Lisbon by the river.',
      saidAt: start - DAY,
    });
    const found = () => recall.contents('after', 'Lisbon', { types: ['turn'] });
    expect(await found()).toEqual([]);
    // Nor is anything extracted from them.
    const { messages } = await fixture.inTenant(recall.tenantId, (tx) =>
      loadBatchConversation(tx, batch, { contextMessages: 0 }),
    );
    expect(messages.map(({ isHidden }) => isHidden)).toEqual([true, true]);
    await say('after', 't', SAID);
    expect(await found()).toEqual([SAID]);
    await recall.write('after', observe(LISBON, await evidence('after', SAID)));
    expect(await found()).toEqual([ECHO, SAID]);
  });

  it('are hidden with an undone memory', async () => {
    await say('undone', 't', SAID, assistant(ECHO));
    const [lisbon] = await recall.write('undone', observe(LISBON, await evidence('undone', SAID)));
    await recall.write('undone', { kind: 'undo', memoryId: lisbon! });
    expect(await recall.contents('undone', 'Lisbon', { types: ['turn'] })).toEqual([]);
  });

  it('stay hidden after the memory is purged', async () => {
    await say('purged', 't', SAID, assistant(ECHO));
    const [lisbon] = await recall.write('purged', observe(LISBON, await evidence('purged', SAID)));
    await recall.write('purged', { kind: 'delete', memoryId: lisbon!, by: 'user' });
    advance(31);
    await recall.write('purged', { kind: 'purge', memoryId: lisbon! });
    expect(await recall.contents('purged', 'Lisbon')).toEqual([]);
    const hidden = await fixture.queryAsSuperuser(
      `SELECT g.content FROM messages g JOIN conversations c ON c.id = g.conversation_id
        WHERE c.user_id = 'purged' AND g.hidden_at IS NOT NULL`,
    );
    expect(hidden.map(({ content }) => content as string).toSorted()).toEqual([ECHO, SAID]);
  });

  it('in other conversations are hidden when a conversation is forgotten', async () => {
    await say('forgotten', 'gone', SAID);
    await say('forgotten', 'kept', assistant(ECHO), 'Good morning.');
    await recall.write('forgotten', observe(LISBON, await evidence('forgotten', SAID)));
    const [row] = await fixture.queryAsSuperuser<{ id: string }>(
      `SELECT id FROM conversations WHERE user_id = 'forgotten' AND thread_id = 'gone'`,
    );
    const { clock, ids } = fixture;
    await fixture.inTenant(recall.tenantId, (tx) =>
      forgetConversation(
        tx,
        { conversationId: row!.id, actor: 'test', acceptingRoute: 'postConversation' },
        { clock, ids, randomBytes },
      ),
    );
    // It is found by the words of the turns around it.
    expect(await recall.contents('forgotten', 'Lisbon')).toEqual(['Good morning.']);
  });

  it('of a store from before they were noted are found when its index is made anew', async () => {
    const { porto } = await move('upgraded');
    await fixture.queryAsSuperuser('UPDATE messages SET echo_of = NULL');
    expect(summary(await turn('upgraded', ECHO))).toEqual(NO);
    await recall.reindex('upgraded');
    expect(summary(await turn('upgraded', ECHO))).toEqual(WHOLLY(porto));
  });

  it('that an earlier rule noted are withdrawn when the index is made anew', async () => {
    const { lisbon, porto } = await move('withdrawn');
    const WEATHER = 'Lisbon has mild winters.';
    await fixture.queryAsSuperuser(
      `UPDATE messages SET echo_of = ARRAY[$1::uuid] WHERE content = $2 AND conversation_id IN (
         SELECT id FROM conversations WHERE user_id = 'withdrawn')`,
      [lisbon, WEATHER],
    );
    expect(summary(await turn('withdrawn', WEATHER))).toEqual({ superseded: 'partly', supersededBy: porto });
    await recall.reindex('withdrawn');
    expect(summary(await turn('withdrawn', WEATHER))).toEqual(NO);
    expect(summary(await turn('withdrawn', ECHO))).toEqual(WHOLLY(porto));
  });

  it('are not noted of a memory that was merged into one of the same meaning', async () => {
    const { lisbon, porto } = await move('merged');
    await fixture.queryAsSuperuser(
      `INSERT INTO history (tenant_id, user_id, seq, id, memory_id, event, old_ref, new_ref, meta, content_hmac, hash, ts)
       SELECT tenant_id, user_id, 1000000, gen_random_uuid(), memory_id, 'MERGE', memory_id, $2,
              '{"reason": "same_meaning"}', content_hmac, hash, ts
         FROM history WHERE memory_id = $1 LIMIT 1`,
      [lisbon, porto],
    );
    const echoes = () =>
      fixture.queryAsSuperuser(
        `SELECT m.content FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE c.user_id = 'merged' AND m.echo_of IS NOT NULL ORDER BY m.id`,
      );
    expect(await echoes()).not.toEqual([]);
    await recall.reindex('merged');
    await say('merged', 'later', assistant('You live in Lisbon.'));
    expect(await echoes()).toEqual([]);
  });
});
