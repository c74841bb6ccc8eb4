import { randomBytes } from 'node:crypto';
import type { CheckedInsight, EvidenceReference, MemoryChange, ShownEvidence } from '@annals/domain';
import { verifyAudit } from '../audit/verify-audit.js';
import type { AuditFinding } from '../audit/audit-finding.js';
import { lockUser } from '../audit/user-chain.js';
import { editUserContext } from '../context/decide-context.js';
import { getUserContext } from '../context/read-context.js';
import type { Tx } from '../database/transaction.js';
import { buildMessage, post } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { getMemory, listMemories } from '../memories/read-memories.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import { loadInsightSources } from './load-sources.js';
import { areInsightsOn, explainMemory, listInsights, readInsightAccess } from './read-insights.js';
import { readInsightSubject } from './read-subject.js';
import { writeInsights } from './write-insights.js';

const HOUR_MS = 3_600_000;
const EVERYBODY = { isOnByDefault: true, agentId: null, categories: null };

describe('stored insights', () => {
  let recall: RecallFixture;
  let users = 0;
  let user: string;

  beforeAll(async () => {
    recall = await RecallFixture.open();
  });
  beforeEach(() => {
    user = `user-${(users += 1)}`;
    recall.fixture.clock.advance(HOUR_MS);
  });
  afterAll(() => recall.fixture.close());

  const tx = <T>(work: (tx: Tx) => Promise<T>) => recall.fixture.inTenant(recall.tenantId, work);
  const deps = () => ({ clock: recall.fixture.clock, ids: recall.fixture.ids, randomBytes });

  const said = async (content: string, thread = 'thread', agentId: string | null = null): Promise<ShownEvidence> => {
    const messages = [buildMessage(content)];
    const posted = { userId: user, threadId: thread, agentId, messages, flush: true };
    const { batchIds } = await post(recall.fixture, recall.tenantId, posted);
    await recall.index(batchIds[0]!);
    const id = await recall.messageId(user, content);
    const saidAt = Date.UTC(2026, 0, 5, 8);
    return { label: 'm1', kind: 'message', id, content, saidAt, messageId: id };
  };
  const known = async (content: string, fields = {}): Promise<ShownEvidence> => {
    const [id] = await recall.write(user, recall.observe(content, fields));
    return { label: 'k1', kind: 'memory', id: id!, content, saidAt: recall.fixture.clock.now(), messageId: null };
  };
  const insight = (summary: string, evidence: readonly ShownEvidence[], more: Partial<CheckedInsight> = {}) => ({
    summary,
    tags: ['style'],
    importance: 2 as const,
    confidence: 0.7,
    evidence,
    inferred: null,
    ...more,
  });
  const write = async (
    insights: readonly CheckedInsight[],
    agentId: string | null = null,
    read: readonly EvidenceReference[] = [],
  ) => {
    const runId = recall.fixture.ids.next();
    const made = { userId: user, runId, agentId, names: [], insights, read, provider: 'local', model: 'rules' };
    return tx(async (t) => {
      await lockUser(t, user, recall.fixture.clock.now());
      return writeInsights(t, made, deps());
    });
  };
  const readSeq = async () => {
    const [row] = await tx((t) =>
      t.query<{ chain_seq: string }>('SELECT chain_seq FROM users WHERE user_id = $1', [user]),
    );
    return row!.chain_seq;
  };
  const list = async () => (await tx((t) => listInsights(t, user, { limit: 20 }))).items;
  const states = async () => Object.fromEntries((await list()).map(({ content, state }) => [content, state]));
  const change = (...changes: MemoryChange[]) => recall.write(user, ...changes);
  const drop = (memoryId: string) => change({ kind: 'delete', memoryId, by: 'user' });
  const forget = async (messageId: string) => {
    const [conversation] = await tx((t) =>
      t.query<{ id: string }>(`SELECT conversation_id AS id FROM messages WHERE id = $1`, [messageId]),
    );
    const command = { conversationId: conversation!.id, actor: 'test', acceptingRoute: 'POST /v1/conversations' };
    return tx((t) => forgetConversation(t, command, deps()));
  };
  const findFaults = async () => {
    const found: AuditFinding[] = [];
    const { tenantId, fixture } = recall;
    const key = fixture.testDatabase.app.chainKey!;
    await verifyAudit(fixture.database, { tenantId, keys: [key], report: (finding) => found.push(finding) });
    return found;
  };

  const SHORT = 'The user prefers short answers.';

  it('are memories with their ground, found by queries and explained', async () => {
    const [message, memory] = [await said('Just the total.'), await known('The user reads on a phone.')];
    expect(await write([insight(SHORT, [message, memory])])).toMatchObject({ created: 1, superseded: 0, known: 0 });
    const [stored] = await list();
    expect(stored).toMatchObject({
      content: SHORT,
      state: 'current',
      tags: ['style'],
      provider: 'local',
      suggests: null,
    });
    expect(stored!.ground).toMatchObject([
      { kind: 'message', message_id: message.id, content: 'Just the total.', state: 'stands', thread_id: 'thread' },
      { kind: 'memory', memory_id: memory.id, content: 'The user reads on a phone.', state: 'stands' },
    ]);
    expect(await tx((t) => getMemory(t, stored!.id))).toMatchObject({
      type: 'insight',
      category: 'relationship_dynamic',
      importance: 2,
      pinned: false,
      sources: [],
    });
    expect(await recall.contents(user, 'short answers')).toContain(SHORT);
    const { ground } = await tx((t) => explainMemory(t, stored!.id, { categories: null }));
    expect(ground).toEqual(stored!.ground);
    // A key without the category of the memory, and without turns, gets ids alone.
    const hidden = await tx((t) => explainMemory(t, stored!.id, { categories: ['tasks'] }));
    expect(hidden.ground.map(({ content }) => content)).toEqual([null, null]);
    const events = await tx((t) => t.query(`SELECT node, op FROM events WHERE memory_id = $1`, [stored!.id]));
    expect(events).toEqual([{ node: 'tom', op: 'create' }]);
  });

  it('without ground are quarantined and served to nobody', async () => {
    expect(await write([insight(SHORT, [])])).toMatchObject({ created: 0, quarantined: 1 });
    expect(await list()).toMatchObject([{ state: 'quarantined', quarantine_reason: 'no_evidence', ground: [] }]);
    expect(await recall.contents(user, 'short answers')).toEqual([]);
  });

  it('are not written when what they rest on went during the run', async () => {
    const memory = await known('The user reads on a phone.');
    await drop(memory.id);
    expect(await write([insight(SHORT, [memory])])).toMatchObject({ created: 0, groundless: 1 });
    expect(await list()).toEqual([]);
  });

  it('are ended by newer ones that contradict or repeat them, and not written twice', async () => {
    const message = await said('Just the total.');
    await write([insight(SHORT, [message])]);
    const detailed = 'The user prefers detailed answers.';
    recall.fixture.clock.advance(HOUR_MS);
    expect(await write([insight(detailed, [message])])).toMatchObject({ created: 1, superseded: 1 });
    expect(await states()).toEqual({ [SHORT]: 'superseded', [detailed]: 'current' });
    recall.fixture.clock.advance(HOUR_MS);
    expect(await write([insight(detailed, [message])])).toMatchObject({ created: 0, known: 1 });
    expect(await recall.contents(user, 'prefers answers')).not.toContain(SHORT);
    expect(await findFaults()).toEqual([]);
  });

  it('that the person deleted are inferred again from newer words only', async () => {
    const message = await said('Just the total.');
    await write([insight(SHORT, [message])]);
    await drop((await list())[0]!.id);
    recall.fixture.clock.advance(HOUR_MS);
    const again = 'The user prefers short answers in most cases.';
    expect(await write([insight(again, [message])])).toMatchObject({ created: 0, known: 1 });
    const newer = { ...message, saidAt: recall.fixture.clock.now() };
    expect(await write([insight(again, [newer])])).toMatchObject({ created: 1 });
  });

  it.each<[string, (memory: ShownEvidence) => Promise<unknown>, (memory: ShownEvidence) => Promise<unknown>]>([
    ['deleted', ({ id }) => drop(id), ({ id }) => change({ kind: 'restore', memoryId: id })],
    [
      'superseded',
      ({ id }) => change({ kind: 'supersede', memoryId: id, memory: recall.memory('The user reads on a tablet.') }),
      ({ id }) => change({ kind: 'undo', memoryId: id }),
    ],
    [
      'expired',
      ({ id }) => change({ kind: 'delete', memoryId: id, by: 'ttl' }),
      ({ id }) => change({ kind: 'undo', memoryId: id }),
    ],
  ])('fall with a memory that is %s, and return with it', async (_how, end, revert) => {
    const memory = await known('The user reads on a phone.');
    await write([insight(SHORT, [memory])]);
    recall.fixture.clock.advance(HOUR_MS);
    await end(memory);
    expect(await states()).toEqual({ [SHORT]: 'deleted' });
    expect(await recall.contents(user, 'short answers')).not.toContain(SHORT);
    recall.fixture.clock.advance(HOUR_MS);
    await revert(memory);
    expect(await states()).toEqual({ [SHORT]: 'current' });
    expect(await recall.contents(user, 'short answers')).toContain(SHORT);
    expect(await findFaults()).toEqual([]);
  });

  it('stand on what is left of their ground, and on what it was merged into', async () => {
    const [memory, other] = [await known('The user reads on a phone.'), await known('The user commutes by train.')];
    await write([insight(SHORT, [memory, other])]);
    await drop(memory.id);
    expect(await states()).toEqual({ [SHORT]: 'current' });
    const [merged] = await recall.remember(user, 'The user rides a train to work.');
    const supersede = recall.memory('The user rides a train to work.');
    await change({ kind: 'supersede', memoryId: other.id, memory: supersede });
    expect(await states()).toEqual({ [SHORT]: 'current' });
    await drop(merged!);
    expect(await states()).toEqual({ [SHORT]: 'deleted' });
  });

  it('fall with a message that a deletion hides, and return with it', async () => {
    const message = await said('Just the total.');
    const sources = [{ messageId: message.id, quote: 'Just the total.' }];
    const memory = await known('The user wants totals.', { origin: 'extraction', sources });
    await write([insight(SHORT, [message])]);
    await drop(memory.id);
    expect(await states()).toEqual({ [SHORT]: 'deleted' });
    await change({ kind: 'restore', memoryId: memory.id });
    expect(await states()).toEqual({ [SHORT]: 'current' });
  });

  it('fall with a message that repeats what was deleted, and return with it', async () => {
    const repeated = 'As I said, I live in Lisbon.';
    await recall.postAndIndexTurns(user, 'told', 'I live in Lisbon.');
    await recall.postAndIndexTurns(user, 'repeated', repeated);
    const quote = 'I live in Lisbon.';
    const sources = [{ messageId: await recall.messageId(user, quote), quote }];
    const memory = await known('The user lives in Lisbon.', { origin: 'extraction', sources });
    const id = await recall.messageId(user, repeated);
    await write([insight(SHORT, [{ ...memory, label: 'm1', kind: 'message', id, messageId: id }])]);
    await drop(memory.id);
    expect(await states()).toEqual({ [SHORT]: 'deleted' });
    await change({ kind: 'restore', memoryId: memory.id });
    expect(await states()).toEqual({ [SHORT]: 'current' });
    expect(await findFaults()).toEqual([]);
  });

  it('are not restored by hand without their ground', async () => {
    const memory = await known('The user reads on a phone.');
    await write([insight(SHORT, [memory])]);
    const { id } = (await list())[0]!;
    await drop(memory.id);
    for (const kind of ['restore', 'undo'] as const) await change({ kind, memoryId: id });
    expect(await states()).toEqual({ [SHORT]: 'deleted' });
    // One that the person deleted themselves falls when its ground is gone by then.
    await change({ kind: 'restore', memoryId: memory.id });
    await drop(id);
    await drop(memory.id);
    await change({ kind: 'restore', memoryId: id });
    expect(await states()).toEqual({ [SHORT]: 'deleted' });
    await change({ kind: 'restore', memoryId: memory.id });
    expect(await states()).toEqual({ [SHORT]: 'current' });
  });

  it('fall with a conversation that is forgotten, unless they rest on more', async () => {
    const [message, other] = [await said('Just the total.'), await said('Numbers only.', 'other')];
    const both = 'The user trusts numbers.';
    await write([insight(SHORT, [message]), insight(both, [message, other])]);
    const { id } = (await list()).find(({ content }) => content === SHORT)!;
    const forgotten = await forget(message.id);
    expect(forgotten).toMatchObject({ memories_deleted: [id], counts: { insight_grounds: 2 } });
    expect(await states()).toEqual({ [SHORT]: 'deleted', [both]: 'current' });
    expect((await list()).find(({ content }) => content === both)!.ground).toMatchObject([{ message_id: other.id }]);
    expect(await findFaults()).toEqual([]);
  });

  it('fall when they are superseded already', async () => {
    const [message, memory] = [await said('Just the total.'), await known('The user reads on a phone.')];
    const trusts = 'The user trusts numbers.';
    await write([insight(SHORT, [message]), insight(trusts, [memory])]);
    const before = new Date(recall.fixture.clock.now()).toISOString();
    recall.fixture.clock.advance(HOUR_MS);
    const [detailed, doubts] = ['The user prefers detailed answers.', 'The user does not trust numbers.'];
    const other = await said('Tell me everything.', 'other');
    await write([insight(detailed, [other]), insight(doubts, [other])]);
    const superseded = { [detailed]: 'current', [doubts]: 'current', [SHORT]: 'superseded', [trusts]: 'superseded' };
    expect(await states()).toEqual(superseded);
    const past = () => recall.contents(user, 'short answers, trusts numbers', { asOf: before });
    expect(await past()).toEqual(expect.arrayContaining([SHORT, trusts]));
    await forget(message.id);
    await drop(memory.id);
    expect(await states()).toEqual({ ...superseded, [SHORT]: 'deleted', [trusts]: 'deleted' });
    for (const content of [SHORT, trusts]) expect(await past()).not.toContain(content);
    await change({ kind: 'restore', memoryId: memory.id });
    expect(await states()).toEqual({ ...superseded, [SHORT]: 'deleted' });
    expect(await findFaults()).toEqual([]);
  });

  it.each(['quarantined', 'current'])('without evidence fall with anything that was read: %s', async (state) => {
    const [message, other] = [await said('Just the total.'), await said('Numbers only.', 'other')];
    const memory = await known('The user reads on a phone.');
    const [numbers, phones] = ['The user trusts numbers.', 'The user enjoys phones.'];
    await write([insight(SHORT, [])], null, [message, other]);
    await write([insight(numbers, [])], null, [memory, other]);
    await write([insight(phones, [])], null, [other]);
    if (state === 'current') for (const { id } of await list()) await change({ kind: 'release', memoryId: id });
    expect(await states()).toEqual({ [SHORT]: state, [numbers]: state, [phones]: state });
    // What was read is no evidence that would be shown.
    expect((await list()).flatMap(({ ground }) => ground)).toEqual([]);
    const { id } = (await list()).find(({ content }) => content === SHORT)!;
    expect(await forget(message.id)).toMatchObject({ memories_deleted: [id] });
    expect(await states()).toEqual({ [SHORT]: 'deleted', [numbers]: state, [phones]: state });
    await drop(memory.id);
    await change({ kind: 'restore', memoryId: memory.id });
    await change({ kind: 'release', memoryId: id });
    expect(await states()).toEqual({ [SHORT]: 'deleted', [numbers]: 'deleted', [phones]: state });
    expect(await findFaults()).toEqual([]);
  });

  it('without evidence are not written when something that was read went during the run', async () => {
    const [memory, message] = [await known('The user reads on a phone.'), await said('Just the total.')];
    await drop(memory.id);
    expect(await write([insight(SHORT, [])], null, [memory, message])).toMatchObject({ quarantined: 0, groundless: 1 });
    expect(await list()).toEqual([]);
  });

  it('go for good when they are purged', async () => {
    const memory = await known('The user reads on a phone.');
    await write([insight(SHORT, [memory])]);
    const { id } = (await list())[0]!;
    await drop(id);
    recall.fixture.clock.advance(40 * 24 * HOUR_MS);
    await change({ kind: 'purge', memoryId: id });
    expect(await tx((t) => t.query('SELECT FROM insight_grounds WHERE memory_id = $1', [id]))).toEqual([]);
    expect(await list()).toEqual([]);
  });

  it('are hidden and kept while they are switched off', async () => {
    await write([insight(SHORT, [await said('Just the total.')])]);
    const { id } = (await list())[0]!;
    const set = (insights: 'on' | 'off' | null) =>
      tx((t) => editUserContext(t, { userId: user, actor: 'key', edit: { insights }, expectedRevision: null }, deps()));
    const served = async (isOnByDefault = true) => {
      const view = { ...EVERYBODY, isOnByDefault };
      const insights = { isOnByDefault, agentId: null };
      const listed = await tx((t) =>
        listMemories(
          t,
          { user_id: user, state: 'active', include_superseded: false, limit: 10 },
          { categories: null, insights: view },
        ),
      );
      const { isOn } = await tx((t) => readInsightAccess(t, { id, userId: user }, view));
      const found = await recall.contents(user, 'short answers', { insights });
      return [found.includes(SHORT), listed.items.some((memory) => memory.id === id), isOn];
    };
    expect(await served()).toEqual([true, true, true]);
    expect(await served(false)).toEqual([false, false, false]);
    await set('off');
    expect(await served()).toEqual([false, false, false]);
    expect(await states()).toEqual({ [SHORT]: 'current' });
    expect(await tx((t) => areInsightsOn(t, user, true))).toBe(false);
    expect(await tx((t) => getUserContext(t, user))).toMatchObject({ insights: 'off' });
    await set('on');
    expect(await served(false)).toEqual([true, true, true]);
    await set(null);
    expect(await served(false)).toEqual([false, false, false]);
  });

  it('made from conversations of an agent are seen by no other one', async () => {
    await write([insight(SHORT, [await said('Just the total.', 'thread', 'supervisor')])], 'supervisor');
    const seenBy = async (agentId: string | null) => {
      const insights = { isOnByDefault: true, agentId };
      return (await recall.contents(user, 'short answers', { insights })).includes(SHORT);
    };
    expect([await seenBy(null), await seenBy('supervisor'), await seenBy('planner')]).toEqual([true, true, false]);
  });

  it('that rest on a memory are seen only with its category', async () => {
    const memory = await known('The user reads on a phone.', { category: 'tasks' });
    await write([insight(SHORT, [memory, await said('Just the total.')])]);
    /** With the category, with another one, with all. */
    const seen = async () => {
      const seenWith = async (visibleCategories: string[] | null) =>
        (await recall.contents(user, 'short answers', { visibleCategories })).includes(SHORT);
      return [
        await seenWith(['relationship_dynamic', 'tasks']),
        await seenWith(['relationship_dynamic', 'preferences']),
        await seenWith(null),
      ];
    };
    expect(await seen()).toEqual([true, false, true]);
    await drop(memory.id);
    expect(await seen()).toEqual([true, false, true]);
    recall.fixture.clock.advance(40 * 24 * HOUR_MS);
    await change({ kind: 'purge', memoryId: memory.id });
    // Nothing tells its category any more.
    expect(await seen()).toEqual([false, false, true]);
  });

  it('change the user context when they are certain', async () => {
    const message = await said('Just the total.');
    const inferred = { field: 'tone', value: 'concise', messageId: message.id, saidAt: message.saidAt } as const;
    const unsure = insight('The user is curt at times.', [message], { inferred: { ...inferred, confidence: 0.7 } });
    expect(await write([unsure])).toMatchObject({ created: 1, context: 0 });
    expect(await tx((t) => getUserContext(t, user))).toMatchObject({ tone: null });
    const sure = insight(SHORT, [message], { inferred: { ...inferred, confidence: 0.9 } });
    expect(await write([sure])).toMatchObject({ created: 1, context: 1 });
    expect(await tx((t) => getUserContext(t, user))).toMatchObject({ tone: 'concise' });
    expect((await list())[0]).toMatchObject({ suggests: { field: 'tone', value: 'concise' } });
  });

  it('are read from the latest agent’s conversations and what nothing hides', async () => {
    await said('For the planner.', 'a', 'planner');
    await said('For nobody.', 'b');
    recall.fixture.clock.advance(HOUR_MS);
    await said('For the supervisor.', 'c', 'supervisor');
    const hidden = await said('A secret.', 'd', 'supervisor');
    const sources = [{ messageId: hidden.id, quote: 'A secret.' }];
    const memory = await known('The user has a secret.', { origin: 'extraction', sources });
    await drop(memory.id);
    const own = await known('The user reads on a phone.');
    const read = await tx((t) => loadInsightSources(t, { userId: user, sinceSeq: null }));
    expect(read.agentId).toBe('supervisor');
    expect(read.messages.map(({ content }) => content).toSorted()).toEqual(['For nobody.', 'For the supervisor.']);
    expect(read.memories.map(({ id }) => id)).toEqual([own.id]);
    const sinceSeq = await readSeq();
    const readNew = async () =>
      (await tx((t) => loadInsightSources(t, { userId: user, sinceSeq }))).memories.map(({ id }) => id);
    expect(await readNew()).toEqual([]);
    // In the millisecond of the last one.
    const next = await known('The user reads at night.');
    expect(await readNew()).toEqual([next.id]);
    await drop(own.id);
    await recall.write(user, { kind: 'restore', memoryId: own.id });
    expect(new Set(await readNew())).toEqual(new Set([own.id, next.id]));
    // As after a run that saw the deletion.
    await drop(next.id);
    const seen = { userId: user, sinceSeq: await readSeq() };
    await recall.write(user, { kind: 'undo', memoryId: next.id });
    expect((await tx((t) => loadInsightSources(t, seen))).memories.map(({ id }) => id)).toEqual([next.id]);
  });

  it('are not read from turns that are not in the index yet, which a deletion may hide', async () => {
    const first = await said('I owe Otto forty euros.');
    const sources = [{ messageId: first.id, quote: first.content }];
    const debt = await known('The user owes Otto forty euros.', { origin: 'extraction', sources });
    await drop(debt.id);
    const batchId = await recall.postTurns(user, 'other', {
      ...buildMessage('I owe Otto forty euros.'),
      saidAt: first.saidAt,
    });
    const read = async () => {
      const { messages } = await tx((t) => loadInsightSources(t, { userId: user, sinceSeq: null }));
      return messages.map(({ content }) => content);
    };
    expect(await read()).toEqual([]);
    const other = await recall.postTurns(user, 'other', 'It rains.');
    expect(await read()).toEqual([]);
    await recall.index(other);
    expect(await read()).toEqual(['It rains.']);
    await recall.index(batchId);
    expect(await read()).toEqual(['It rains.']);
  });

  it('have a watermark that moves with messages, memories and deletions', async () => {
    await said('Just the total.');
    const [row] = await tx((t) =>
      t.query<{ subject_id: string }>('SELECT subject_id FROM users WHERE user_id = $1', [user]),
    );
    const read = async () => (await tx((t) => readInsightSubject(t, row!.subject_id)))!.watermark;
    const marks = [await read()];
    await said('Numbers only.', 'other');
    marks.push(await read());
    const memory = await known('The user reads on a phone.');
    marks.push(await read());
    await drop(memory.id);
    marks.push(await read());
    expect(new Set(marks).size).toBe(marks.length);
    expect(await read()).toBe(marks.at(-1));
  });
});
