import { randomBytes } from 'node:crypto';
import { DAY_MS, type RunChange } from '@annals/domain';
import { type AuditFinding } from '../audit/audit-finding.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { recordAccess } from '../lifecycle/record-access.js';
import { readSubjectUser } from '../minds/mind-subject.js';
import { endMindRun, startMindRun } from '../minds/mind-runs.js';
import { pruneMindRuns } from '../minds/prune-mind-runs.js';
import { writeMemories } from '../memories/write-memories.js';
import { forgetConversation } from '../privacy/forget-conversation.js';
import { applyRun, type PlannedRun, recordPlannedRun } from './apply-run.js';
import { drawAllowance, readPairsOfDay, returnAllowance } from './draw-allowance.js';
import { findPairNeighbours, readConsolidation, readQuotes } from './read-consolidation.js';
import { readRunChanges } from './run-changes.js';
import { readUndonePairs, undoRun } from './undo-run.js';

const SHORT = 'The user drinks tea.';
const LONG = 'The user drinks tea every morning.';
const BOTH = 'The user drinks green tea every morning.';

describe('runs of consolidation in the database', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let users = 0;

  beforeAll(async () => {
    fixture = await StorageFixture.open({}, { asksMinds: true });
    recall = new RecallFixture(fixture, await fixture.addTenant());
  });
  afterAll(() => fixture.close());

  const nextUser = () => `user-${++users}`;
  const inTenant: StorageFixture['inTenant'] = (tenantId, work) => fixture.inTenant(tenantId, work);
  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });

  /** A memory that a message of a thread states. */
  async function state(userId: string, content: string, threadId: string, importance = 2): Promise<string> {
    await recall.postAndIndexTurns(userId, threadId, content);
    const messageId = await recall.messageId(userId, content);
    const [id] = await recall.write(
      userId,
      recall.observe(content, { origin: 'extraction', importance, sources: [{ messageId, quote: content }] }),
    );
    return id!;
  }

  async function startRun(userId: string, isDryRun = false): Promise<string> {
    const id = fixture.ids.next();
    await inTenant(recall.tenantId, async (tx) => {
      const [user] = await tx.query<{ subject_id: string }>('SELECT subject_id FROM users WHERE user_id = $1', [
        userId,
      ]);
      const run = { id, kind: 'consolidation', subjectId: user!.subject_id, userId } as const;
      await startMindRun(tx, { ...run, trigger: 'manual', isDryRun, startedAt: fixture.clock.now() });
    });
    return id;
  }

  const merge = (a: string, b: string, content: string): RunChange => ({
    kind: 'merge',
    parts: [
      { memoryId: a, revision: 1 },
      { memoryId: b, revision: 1 },
    ],
    content,
    kept: null,
    importance: 3,
    validFrom: fixture.clock.now(),
    reason: 'words',
  });
  const rerank = (memoryId: string, from: number, to: number): RunChange => ({
    kind: 'rerank',
    memoryId,
    revision: 1,
    from,
    to,
    reason: 'retrieved',
  });
  const link = (a: string, b: string): RunChange => ({
    kind: 'link',
    parts: [
      { memoryId: a, revision: 1 },
      { memoryId: b, revision: 1 },
    ],
    strength: 0.5,
    reason: 'related',
  });

  /** Applies the changes as a run that is done. */
  async function apply(userId: string, changes: readonly RunChange[], more: Partial<PlannedRun> = {}) {
    const runId = await startRun(userId);
    const plan = { runId, userId, changes, refused: [], model: null, fingerprints: [], ...more };
    const applied = await inTenant(recall.tenantId, async (tx) => {
      const result = await applyRun(tx, plan, dependencies());
      const end = { id: runId, state: 'done', watermark: '1', counts: {}, endedAt: fixture.clock.now() } as const;
      await endMindRun(tx, end);
      return result;
    });
    return { runId, applied };
  }
  const undo = (userId: string, runId: string) =>
    inTenant(recall.tenantId, (tx) => undoRun(tx, { runId, userId, actor: 'key:k' }, dependencies()));
  const readChanges = (runId: string) => inTenant(recall.tenantId, (tx) => readRunChanges(tx, runId));

  /** All that an undo has to bring back: everything but audit, revisions and times. */
  async function takeSnapshot(userId: string) {
    const [memories, sources, edges] = await inTenant(recall.tenantId, async (tx) => [
      await tx.query(
        `SELECT id, content, category, type, importance, confidence, pinned, origin, state, valid_from, valid_to,
                superseded_by FROM memories WHERE user_id = $1 AND state = 'active' ORDER BY id`,
        [userId],
      ),
      await tx.query(
        `SELECT s.memory_id, s.message_id, s.quote FROM memory_sources s JOIN memories m ON m.id = s.memory_id
          WHERE m.user_id = $1 AND m.state = 'active' ORDER BY s.memory_id, s.message_id`,
        [userId],
      ),
      await tx.query(
        'SELECT from_id, to_id, relation_type, strength FROM relations WHERE user_id = $1 ORDER BY from_id, to_id',
        [userId],
      ),
    ]);
    // In their order, which depends on how frequent each word is in the index.
    const answers = await Promise.all(
      ['tea', 'what does the user drink every morning', 'coffee'].map(async (query) =>
        (await recall.candidates(userId, query)).map(({ content }) => content),
      ),
    );
    return { memories, sources, edges, answers, postings: await recall.postings(userId) };
  }
  async function verify(): Promise<AuditFinding[]> {
    const findings: AuditFinding[] = [];
    const key = fixture.testDatabase.app.chainKey!;
    await verifyAudit(fixture.database, { tenantId: null, keys: [key], report: (found) => findings.push(found) });
    return findings;
  }

  it('applies all changes of a run at once, with a record and an event of each', async () => {
    const userId = nextUser();
    const [a, b, c, d] = [
      await state(userId, SHORT, 't1'),
      await state(userId, LONG, 't2'),
      await state(userId, 'The user drinks coffee.', 't1'),
      await state(userId, 'The user has a cat.', 't1'),
    ];
    const { runId, applied } = await apply(userId, [merge(a, b, LONG), link(c, d), rerank(c, 2, 3)]);
    expect(applied).toEqual({ merges: 1, links: 1, reranks: 1, refused: 0, skipped: 0 });
    const changes = await readChanges(runId);
    expect(changes.map(({ ordinal, change, state: is, reason }) => [ordinal, change, is, reason])).toEqual([
      [1, 'merge', 'written', 'words'],
      [2, 'link', 'written', 'related'],
      [3, 'rerank', 'written', 'retrieved'],
    ]);
    expect(changes[0]).toMatchObject({ memory_ids: [a, b], revisions_before: [1, 1], revisions_after: [2, 2, 1] });
    expect(changes[2]).toMatchObject({ memory_ids: [c], revisions_after: [2], numbers: { from: 2, to: 3 } });
    const events = await inTenant(recall.tenantId, (tx) =>
      tx.query(`SELECT op FROM events WHERE user_id = $1 AND node = 'worker' ORDER BY id`, [userId]),
    );
    expect(events.map(({ op }) => op)).toEqual(['merge', 'rerank', 'link']);
    const merged = changes[0]!.result_id!;
    const quotes = await inTenant(recall.tenantId, (tx) => readQuotes(tx, [merged]));
    expect(quotes.get(merged)?.toSorted()).toEqual([SHORT, LONG].toSorted());
    expect(await verify()).toEqual([]);
  });

  it('serves a merged memory once, in the place of both, and hands its vector and relations over', async () => {
    const userId = nextUser();
    const [a, b, c] = [
      await state(userId, SHORT, 't1'),
      await state(userId, LONG, 't2'),
      await state(userId, 'The user likes the garden.', 't1'),
    ];
    await apply(userId, [link(a, c)]);
    const { runId } = await apply(userId, [merge(a, b, LONG)]);
    const merged = (await readChanges(runId))[0]!.result_id!;
    const found = (await recall.candidates(userId, 'tea')).filter(({ kind }) => kind === 'memory');
    expect(found.map(({ id, content }) => [id, content])).toEqual([[merged, LONG]]);
    const near = await inTenant(recall.tenantId, (tx) =>
      findPairNeighbours(tx, { userId, model: 'axes', dimensions: 2, candidates: [merged] }),
    );
    expect(near.map(({ b: other }) => other)).toContain(c);
    const edges = await inTenant(recall.tenantId, (tx) =>
      tx.query('SELECT from_id, to_id FROM relations WHERE from_id = $1', [merged]),
    );
    expect(edges).toEqual([{ from_id: merged, to_id: c }]);
  });

  it('undoes a run as a whole: memories, sources, relations and answers are as before, and the audit verifies', async () => {
    const userId = nextUser();
    const [a, b, c, d] = [
      await state(userId, SHORT, 't1'),
      await state(userId, LONG, 't2'),
      await state(userId, 'The user drinks coffee in the morning.', 't1'),
      await state(userId, 'The user has a cat.', 't3'),
    ];
    // A turn that says what a memory says without being its source.
    await recall.postAndIndexTurns(userId, 't4', 'As I said, the user drinks tea every morning.');
    await apply(userId, [link(a, d)]);
    const before = await takeSnapshot(userId);
    const { runId } = await apply(userId, [merge(a, b, BOTH), link(c, d), rerank(c, 2, 3)]);
    expect(await takeSnapshot(userId)).not.toEqual(before);
    expect(await undo(userId, runId)).toEqual({ undone: 3, left: {} });
    expect(await takeSnapshot(userId)).toEqual(before);
    expect(await verify()).toEqual([]);
    expect((await readChanges(runId)).map(({ state: is }) => is)).toEqual(['undone', 'undone', 'undone']);
    const pairs = await inTenant(recall.tenantId, (tx) => readUndonePairs(tx, userId));
    expect([...pairs]).toEqual([[a, b].toSorted().join(' ')]);
    expect(await undo(userId, runId)).toBeNull();
  });

  it('leaves what somebody changed or said again since, and says why', async () => {
    const userId = nextUser();
    const [a, b, c, d, e] = [
      await state(userId, SHORT, 't1'),
      await state(userId, LONG, 't2'),
      await state(userId, 'The user drinks coffee.', 't1'),
      await state(userId, 'The user has a cat.', 't1'),
      await state(userId, 'The user has a dog.', 't1'),
    ];
    const { runId } = await apply(userId, [merge(a, b, LONG), rerank(c, 2, 3), rerank(d, 2, 3), rerank(e, 2, 3)]);
    const merged = (await readChanges(runId))[0]!.result_id!;
    await recall.postTurns(userId, 't5', 'I drink tea every morning.');
    const messageId = await recall.messageId(userId, 'I drink tea every morning.');
    await recall.write(userId, recall.observe(LONG, { sources: [{ messageId, quote: 'I drink tea' }] }));
    await recall.write(userId, { kind: 'edit', memoryId: c, patch: { pinned: true } });
    await recall.write(userId, { kind: 'delete', memoryId: d, by: 'user' });
    expect(await undo(userId, runId)).toEqual({ undone: 1, left: { changed_since: 2, deleted_since: 1 } });
    const states = (await readChanges(runId)).map((change) => [change.state, change.left_reason]);
    expect(states).toEqual([
      ['left', 'changed_since'],
      ['left', 'changed_since'],
      ['left', 'deleted_since'],
      ['undone', null],
    ]);
    expect(await recall.contents(userId, 'tea every morning')).toContain(LONG);
    expect(merged).toEqual(expect.any(String));
  });

  it('skips a change of a memory that was changed while the run decided', async () => {
    const userId = nextUser();
    const [a, b] = [await state(userId, SHORT, 't1'), await state(userId, LONG, 't1')];
    await recall.write(userId, { kind: 'edit', memoryId: b, patch: { pinned: true } });
    const { runId, applied } = await apply(userId, [merge(a, b, LONG), rerank(b, 2, 3)]);
    expect(applied).toMatchObject({ merges: 0, reranks: 0, skipped: 2 });
    expect((await readChanges(runId)).map(({ state: is }) => is)).toEqual(['skipped', 'skipped']);
    expect(await recall.contents(userId, 'tea')).toEqual(expect.arrayContaining([SHORT, LONG]));
  });

  it('skips a relation of a memory that was deleted while the run decided, or that is related already', async () => {
    const userId = nextUser();
    const [a, b, c] = [
      await state(userId, SHORT, 't1'),
      await state(userId, 'The user has a cat.', 't1'),
      await state(userId, 'The user has a dog.', 't1'),
    ];
    await apply(userId, [link(b, c)]);
    await recall.write(userId, { kind: 'delete', memoryId: a, by: 'user' });
    const { runId, applied } = await apply(userId, [link(a, b), link(c, b)]);
    expect(applied).toMatchObject({ links: 0, skipped: 2 });
    expect((await readChanges(runId)).map(({ state: is }) => is)).toEqual(['skipped', 'skipped']);
  });

  it('writes nothing of a run whose transaction fails, and nothing for a user who was erased', async () => {
    const userId = nextUser();
    const [a, b] = [await state(userId, SHORT, 't1'), await state(userId, LONG, 't1')];
    const before = await takeSnapshot(userId);
    const runId = await startRun(userId);
    const plan = { runId, userId, refused: [], model: null, fingerprints: ['f'] };
    await expect(
      inTenant(recall.tenantId, async (tx) => {
        await applyRun(tx, { ...plan, changes: [merge(a, b, LONG)] }, dependencies());
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect([await takeSnapshot(userId), await readChanges(runId)]).toEqual([before, []]);
    const nobody = { ...plan, userId: 'nobody', changes: [] };
    expect(await inTenant(recall.tenantId, (tx) => applyRun(tx, nobody, dependencies()))).toBeNull();
  });

  it('records what a dry run would change, and writes nothing else', async () => {
    const userId = nextUser();
    const [a, b] = [await state(userId, SHORT, 't1'), await state(userId, LONG, 't1')];
    const before = await takeSnapshot(userId);
    const runId = await startRun(userId, true);
    const plan = { runId, userId, changes: [merge(a, b, LONG)], refused: [], model: null, fingerprints: ['f'] };
    const counts = await inTenant(recall.tenantId, (tx) => recordPlannedRun(tx, plan, fixture.clock.now()));
    expect(counts).toMatchObject({ merges: 1 });
    expect(await takeSnapshot(userId)).toEqual(before);
    expect(await readChanges(runId)).toMatchObject([{ change: 'merge', state: 'planned', result_id: null }]);
    const { known } = await inTenant(recall.tenantId, (tx) =>
      readConsolidation(tx, { userId, now: fixture.clock.now() }),
    );
    expect(known.size).toBe(0);
  });

  it('forgets a merged text with a conversation that one of its parts rests on, and keeps the other part', async () => {
    const userId = nextUser();
    const [a, b] = [await state(userId, SHORT, 'mine'), await state(userId, LONG, 'other')];
    await apply(userId, [merge(a, b, BOTH)]);
    const conversations = await inTenant(recall.tenantId, (tx) =>
      tx.query<{ id: string }>(`SELECT id FROM conversations WHERE user_id = $1 AND thread_id = 'mine'`, [userId]),
    );
    const forgotten = await inTenant(recall.tenantId, (tx) =>
      forgetConversation(
        tx,
        { conversationId: conversations[0]!.id, actor: 'key:k', acceptingRoute: 'r' },
        dependencies(),
      ),
    );
    expect(forgotten!.memories_deleted).toHaveLength(2);
    expect(forgotten!.memories_deleted).not.toContain(b);
    const served = (await recall.candidates(userId, 'tea')).filter(({ kind }) => kind === 'memory');
    expect(served.map(({ content }) => content)).toEqual([LONG]);
    expect(await verify()).toEqual([]);
  });

  it('reads what a run needs: retrievals of 30 days, threads, consent, the last change of importance', async () => {
    const userId = nextUser();
    const a = await state(userId, SHORT, 't1');
    const access = (at: number, times: number) =>
      inTenant(recall.tenantId, (tx) => recordAccess(tx, [{ memoryId: a, at, times }]));
    const now = fixture.clock.now();
    await access(now - 40 * DAY_MS, 5);
    await access(now - 20 * DAY_MS, 2);
    await access(now - 20 * DAY_MS, 1);
    await access(now, 4);
    await apply(userId, [rerank(a, 2, 3)]);
    const read = await inTenant(recall.tenantId, (tx) => readConsolidation(tx, { userId, now }));
    expect(read.memories).toMatchObject([
      { id: a, accesses: 7, lastAccessedAt: now, threads: 1, isConsented: false, rerankedAt: now, importance: 3 },
    ]);
    const readContent = async (at: number) =>
      (await inTenant(recall.tenantId, (tx) => readConsolidation(tx, { userId, now: at }))).memories[0]!.content;
    expect(await readContent(now + 90 * DAY_MS)).toBe(SHORT);
    expect(await readContent(now + 91 * DAY_MS)).toBe('');
    const [row] = await inTenant(recall.tenantId, (tx) =>
      tx.query<{ days: object; access_count: number }>(
        'SELECT days, access_count FROM memory_access WHERE memory_id = $1',
        [a],
      ),
    );
    expect([Object.keys(row!.days).length, row!.access_count]).toEqual([2, 12]);
    const messageId = await recall.messageId(userId, SHORT);
    await inTenant(recall.tenantId, (tx) =>
      tx.execute(
        `INSERT INTO context_proposals (id, user_id, field, value, value_key, state, message_ids, said_at, created_at, expires_at)
         VALUES ($1, $2, 'city', 'Rome', 'rome', 'accepted', $3, $4, $4, $4)`,
        [fixture.ids.next(), userId, [messageId], new Date(now)],
      ),
    );
    const consented = await inTenant(recall.tenantId, (tx) => readConsolidation(tx, { userId, now }));
    expect(consented.memories).toMatchObject([{ isConsented: true }]);
  });

  it('keeps what later runs need when the record of a run is deleted', async () => {
    const userId = nextUser();
    const [a, b, c] = [
      await state(userId, SHORT, 't1'),
      await state(userId, LONG, 't2'),
      await state(userId, 'The user reads books.', 't3'),
    ];
    const rerankedAt = fixture.clock.now();
    const { runId } = await apply(userId, [merge(a, b, LONG), rerank(c, 2, 3)]);
    expect(await undo(userId, runId)).toEqual({ undone: 2, left: {} });
    const read = () =>
      inTenant(recall.tenantId, async (tx) => {
        const { memories } = await readConsolidation(tx, { userId, now: fixture.clock.now() });
        return [await readUndonePairs(tx, userId), memories.find(({ id }) => id === c)!.rerankedAt];
      });
    const known = [new Set([[a, b].toSorted().join(' ')]), rerankedAt];
    expect(await read()).toEqual(known);
    fixture.clock.advance(DAY_MS);
    const before = fixture.clock.now();
    const prune = () => inTenant(recall.tenantId, (tx) => pruneMindRuns(tx, { userId, runIds: [runId], before }));
    expect([await prune(), await prune()]).toEqual([1, 0]);
    expect(await readChanges(runId)).toEqual([]);
    expect(await undo(userId, runId)).toBeNull();
    expect(await read()).toEqual(known);
    expect(await verify()).toEqual([]);
  });

  it('keeps fingerprints for 14 days', async () => {
    const userId = nextUser();
    await state(userId, SHORT, 't1');
    await apply(userId, [], { fingerprints: ['one', 'one', 'two'] });
    const now = fixture.clock.now();
    const readKnown = async (at: number) =>
      [...(await inTenant(recall.tenantId, (tx) => readConsolidation(tx, { userId, now: at }))).known].toSorted();
    expect(await readKnown(now + 14 * DAY_MS - 1)).toEqual(['one', 'two']);
    expect(await readKnown(now + 14 * DAY_MS)).toEqual([]);
  });

  it('draws pairs of a user and tokens of a tenant from their day, both or nothing', async () => {
    const [ada, bob] = [nextUser(), nextUser()];
    for (const userId of [ada, bob]) await state(userId, SHORT, 't1');
    const draw = (userId: string, day: string, pairs: number, tokens: number) =>
      inTenant(recall.tenantId, (tx) =>
        drawAllowance(tx, { userId, day, pairs, tokens, maxPairs: 50, maxTokens: 1_000 }),
      );
    const day = '2026-01-05';
    expect(await draw(ada, day, 40, 400)).toBe(true);
    expect(await draw(ada, day, 20, 100)).toBe(false);
    expect(await draw(bob, day, 20, 700)).toBe(false);
    expect(await draw(bob, day, 20, 600)).toBe(true);
    expect(await draw(ada, day, 1, 1)).toBe(false);
    const giveBack = (pairs: number, tokens: number) =>
      inTenant(recall.tenantId, (tx) => returnAllowance(tx, { userId: ada, day, pairs, tokens }));
    await giveBack(0, 100);
    expect(await draw(ada, day, 10, 100)).toBe(true);
    expect(await draw(ada, day, 5, 0)).toBe(false);
    await giveBack(5, 0);
    expect(await draw(ada, day, 5, 0)).toBe(true);
    expect(await inTenant(recall.tenantId, (tx) => readPairsOfDay(tx, ada, day))).toBe(50);
    expect(await draw(ada, '2026-01-06', 50, 1_000)).toBe(true);
    expect(await draw(ada, '2026-01-07', 51, 1)).toBe(false);
  });

  it('sees nothing of another tenant, or of another user', async () => {
    const userId = nextUser();
    const a = await state(userId, SHORT, 't1');
    const { runId } = await apply(userId, [rerank(a, 2, 3)]);
    const other = await fixture.addTenant();
    const inOther = await inTenant(other, async (tx) => ({
      changes: await readRunChanges(tx, runId),
      memories: (await readConsolidation(tx, { userId, now: fixture.clock.now() })).memories,
      undone: await undoRun(tx, { runId, userId, actor: 'key:k' }, dependencies()),
    }));
    expect(inOther).toEqual({ changes: [], memories: [], undone: null });
    const [user] = await inTenant(recall.tenantId, (tx) =>
      tx.query<{ subject_id: string }>('SELECT subject_id FROM users WHERE user_id = $1', [userId]),
    );
    expect(await inTenant(other, (tx) => readSubjectUser(tx, user!.subject_id))).toBeNull();
    expect((await readChanges(runId)).map(({ state: is }) => is)).toEqual(['written']);
  });

  it('asks for one daily run of a user whose memories change, and for none after its own', async () => {
    const userId = nextUser();
    const write = (content: string, isOwnWork = false) =>
      inTenant(recall.tenantId, (tx) =>
        writeMemories(
          tx,
          { userId, actor: 'test', node: 'api', changes: [recall.observe(content)], isOwnWork },
          dependencies(),
        ),
      );
    const readWork = () =>
      inTenant(recall.tenantId, (tx) =>
        tx.query<{ available_at: Date; generation: number }>(
          `SELECT w.available_at, w.generation FROM work w JOIN users u ON u.subject_id = w.subject_id
            WHERE w.kind = 'consolidation' AND u.user_id = $1`,
          [userId],
        ),
      );
    await write('The user has a bike.', true);
    expect(await readWork()).toEqual([]);
    await write('The user has a boat.');
    const [work] = await readWork();
    expect(work!.available_at.getTime()).toBeGreaterThan(fixture.clock.now());
    expect(work!.available_at.getTime()).toBeLessThanOrEqual(fixture.clock.now() + DAY_MS);
    await write('The user has a car.');
    expect(await readWork()).toEqual([work]);
  });
});
