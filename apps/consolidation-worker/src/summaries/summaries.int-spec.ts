import { randomBytes } from 'node:crypto';
import {
  forgetConversation,
  loadSummarizableMessages,
  readRecentActivity,
  restoreEvictedTurns,
  restoreSummary,
  writeMemories,
} from '@annals/storage';
import { createTestDatabase, loseConnection, newMemory, type TestDatabase, waitUntil } from '@annals/testing';
import { SummaryService } from './summary-service.fixture.js';

const MINUTE = 60_000;
const NAMES = ['Ana', 'Ben', 'Cleo', 'Dara', 'Eli', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jun'];
const PLACES = ['Lisbon', 'Porto', 'Bern', 'Oslo', 'Riga', 'Turin', 'Graz'];

/** Messages of some 20 tokens with a fact each. */
const tell = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => {
    const n = from + index;
    return `My neighbour ${NAMES[n % 10]} sold ${n + 20} old lamps at the market in ${PLACES[n % 7]} and bought a boat.`;
  });

describe('summaries without a model', () => {
  let database: TestDatabase;
  let service: SummaryService;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await SummaryService.start(database, { env: { ANNALS_MAX_ENTRIES_PER_CONVERSATION: '20' } });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  const messagesOf = (id: string) => service.inTenant((tx) => loadSummarizableMessages(tx, id, -1));

  it('summarises a conversation that ended, by sentences that cite its messages', async () => {
    const id = await service.post('ended', tell(12), { end: true });
    await service.waitForRest(id);
    const [summary, ...others] = await service.readAll(id);
    expect(others).toEqual([]);
    expect(summary).toMatchObject({ tier: 'L3', level: 'BRIEF', provider: 'local', toSeq: 11, tombstonedAt: null });
    const ids = new Set((await messagesOf(id)).map((message) => message.id));
    const cited = summary!.sentences.flatMap(({ messageIds }) => messageIds);
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((messageId) => !ids.has(messageId))).toEqual([]);
    expect(await service.listRuns(id)).toMatchObject([{ trigger: 'end', state: 'done', calls: 0, energy: 0 }]);
  });

  it('does nothing while nothing has changed', async () => {
    const id = await service.post('same', tell(12), { end: true });
    await service.waitForRest(id);
    const before = await service.readAll(id);
    await service.ask(id);
    await service.waitForRest(id);
    expect(await service.readAll(id)).toEqual(before);
    expect(await service.listRuns(id)).toHaveLength(1);
  });

  it('waits until a conversation is idle, and is woken by its end', async () => {
    const [idle, ended] = [await service.post('idle', tell(10)), await service.post('woken', tell(10))];
    await service.ask(idle);
    await service.ask(ended);
    expect(await service.waitForRest(idle)).toMatchObject({ status: 'deferred', deferred_reason: 'not_due' });
    await service.waitForRest(ended);
    expect(await service.readAll(idle)).toEqual([]);
    await service.post('woken', tell(1, 10), { end: true });
    await waitUntil(async () => (await service.readWhole(ended)) !== undefined, { describe: 'the ended one has one' });
    expect(await service.readWhole(idle)).toBeUndefined();
    service.advance(5 * MINUTE);
    await waitUntil(async () => (await service.readWhole(idle)) !== undefined, { describe: 'the idle one has one' });
    expect(await service.listRuns(idle)).toMatchObject([{ trigger: 'idle', state: 'done' }]);
  });

  it('needs 100 new tokens when idle, and none at the end', async () => {
    const id = await service.post('small', tell(12), { end: true });
    await service.waitForRest(id);
    await service.post('small', ['Ok, thanks.']);
    service.advance(6 * MINUTE);
    await service.ask(id);
    expect(await service.waitForRest(id)).toEqual({ status: 'ended' });
    expect((await service.readWhole(id))!.toSeq).toBe(11);
    await service.post('small', ['Bye.'], { end: true });
    await service.waitForRest(id);
    expect((await service.readWhole(id))!.toSeq).toBe(13);
  });

  it('makes only what changed again as a conversation grows, keeps tombstones, and restores one', async () => {
    const id = await service.post('grows', tell(170));
    await service.ask(id);
    await service.waitForRest(id);
    expect(await service.listRuns(id)).toMatchObject([{ trigger: 'batch', state: 'done' }]);
    const first = await service.readAll(id);
    expect(first.map(({ tier }) => tier)).toEqual(['L3', 'L1']);
    await service.post('grows', tell(170, 170));
    await service.ask(id);
    await service.waitForRest(id);
    const second = await service.readAll(id);
    const live = second.filter(({ tombstonedAt }) => tombstonedAt === null);
    expect(live.map(({ tier }) => tier)).toEqual(['L3', 'L1', 'L1']);
    expect(live.find(({ tier, position }) => tier === 'L1' && position === 0)).toEqual(first[1]);
    expect(second.filter(({ tombstonedAt }) => tombstonedAt !== null)).toMatchObject([
      { id: first[0]!.id, replacedBy: live[0]!.id },
    ]);
    const restore = (summary: string) =>
      service.inTenant((tx) => restoreSummary(tx, id, { id: summary, now: service.clock.now() }));
    expect(await restore(live[0]!.id)).toEqual({ outcome: 'live' });
    expect(await restore(first[0]!.id)).toEqual({ outcome: 'restored', replaced: live[0]!.id });
    expect(await service.readWhole(id)).toEqual({ ...first[0]!, tombstonedAt: null, replacedBy: null });
  });

  it('loses what a deleted message said, in every summary and tombstone at once, and never restores it', async () => {
    const id = await service.post('deleted', tell(12), { end: true });
    await service.waitForRest(id);
    await service.post('deleted', tell(60, 12), { end: true });
    await service.waitForRest(id);
    const before = await service.readAll(id);
    expect(before).toHaveLength(2);
    const cited = before[1]!.sentences.flatMap(({ messageIds }) => messageIds)[0]!;
    const dependencies = { ...service.dependencies, randomBytes };
    const memory = newMemory('The user has a neighbour with lamps.', service.clock.now(), {
      origin: 'extraction',
      sources: [{ messageId: cited, quote: 'lamps' }],
    });
    const command = { userId: 'ada', actor: 'test', node: 'api' };
    const written = await service.inTenant((tx) =>
      writeMemories(tx, { ...command, changes: [{ kind: 'observe', memory }] }, dependencies),
    );
    if (written.outcome !== 'applied') throw new Error(written.outcome);
    const memoryId = written.results[0]!.memoryId;
    await service.inTenant((tx) =>
      writeMemories(tx, { ...command, changes: [{ kind: 'delete', memoryId, by: 'user' }] }, dependencies),
    );
    const after = await service.readAll(id);
    expect(
      after.flatMap(({ sentences }) => sentences).filter((sentence) => sentence.messageIds.includes(cited)),
    ).toEqual([]);
    const restored = service.inTenant((tx) => restoreSummary(tx, id, { id: before[1]!.id, now: service.clock.now() }));
    expect(await restored).toEqual({ outcome: 'messages_deleted' });
    // The deletion asked for it: what the other messages say comes back, and what this one said does not.
    expect(await service.findWork(id)).toMatchObject({ status: 'waiting' });
    service.advance(6 * MINUTE);
    await waitUntil(async () => (await service.readWhole(id))!.id !== before[0]!.id, { describe: 'it is made again' });
    const whole = await service.readWhole(id);
    expect(whole!.sentences.length).toBeGreaterThan(0);
    expect(whole!.sentences.flatMap(({ messageIds }) => messageIds)).not.toContain(cited);
  });

  it('goes with its conversation', async () => {
    const id = await service.post('forgotten', tell(12), { end: true });
    await service.waitForRest(id);
    expect(await service.readAll(id)).toHaveLength(1);
    const dependencies = { ...service.dependencies, randomBytes };
    await service.inTenant((tx) =>
      forgetConversation(
        tx,
        { conversationId: id, actor: 'test', acceptingRoute: 'POST /v1/conversations' },
        dependencies,
      ),
    );
    expect(await service.readAll(id)).toEqual([]);
    const left = await service.inTenant((tx) =>
      tx.query('SELECT FROM summary_sentences WHERE conversation_id = $1', [id]),
    );
    expect(left).toEqual([]);
    expect(await service.listRuns(id)).toEqual([]);
  });

  it('evicts the oldest turns that a summary covers, and puts them back', async () => {
    const id = await service.post('evicted', tell(30), { isIndexed: true, userId: 'eve', end: true });
    await service.waitForRest(id);
    const readTurns = () =>
      service.inTenant((tx) =>
        tx.query<{ seq: number; indexed: boolean; evicted: boolean }>(
          `SELECT g.seq, EXISTS (SELECT FROM lexical_units u WHERE u.message_id = g.id) AS indexed,
                  g.evicted_at IS NOT NULL AS evicted
             FROM messages g WHERE g.conversation_id = $1 ORDER BY g.seq`,
          [id],
        ),
      );
    const turns = await readTurns();
    expect(turns).toHaveLength(30);
    expect(turns.filter(({ indexed }) => !indexed).map(({ seq }) => seq)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(turns.every(({ indexed, evicted }) => indexed !== evicted)).toBe(true);
    expect(await service.listRuns(id)).toMatchObject([{ counts: { evicted_turns: 12, evicted_facts: 0 } }]);
    const history = () =>
      service.inTenant((tx) =>
        tx.query<{ event: string; actor: string }>(
          `SELECT event, actor FROM history WHERE user_id = 'eve' AND new_ref = $1 ORDER BY seq`,
          [id],
        ),
      );
    expect(await history()).toEqual([{ event: 'EVICT', actor: 'eviction' }]);
    const command = { userId: 'eve', conversationId: id, actor: 'key:test' };
    const restore = () =>
      service.inTenant((tx) => restoreEvictedTurns(tx, command, { ...service.dependencies, randomBytes }));
    expect(await restore()).toBe(12);
    expect(await restore()).toBe(0);
    expect((await readTurns()).filter(({ evicted, indexed }) => evicted || !indexed)).toEqual([]);
    expect((await history()).map(({ event }) => event)).toEqual(['EVICT', 'RESTORE']);
  });

  it.each(['before', 'behind'] as const)(
    'counts once what it wrote when the connection is lost %s the commit',
    async (when) => {
      const { database: stores, metrics } = service.running.infrastructure;
      const count = async () => {
        const { body } = await metrics.render();
        return ['memory_llm_summaries_total', 'memory_llm_evicted_total'].map((name) =>
          [...body.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, 'gmu'))].reduce(
            (sum, [, n]) => sum + Number(n),
            0,
          ),
        );
      };
      const before = await count();
      const lossy = loseConnection(stores.inTenant.bind(stores), when, 'INSERT INTO summaries');
      Object.assign(stores, { inTenant: lossy.inTenant });
      let id: string;
      try {
        id = await service.post(`lost ${when}`, tell(24), { end: true, isIndexed: true });
        await service.waitForRest(id);
      } finally {
        Reflect.deleteProperty(stores, 'inTenant');
      }
      expect(lossy.wasLost()).toBe(true);
      const [run, ...others] = await service.listRuns(id);
      expect([run!.state, others]).toEqual(['done', []]);
      const { summaries, evicted_turns: evicted } = run!.counts as { summaries: number; evicted_turns: number };
      expect(summaries).toBeGreaterThan(0);
      expect(evicted).toBeGreaterThan(0);
      // Behind the commit that ends the run.
      await waitUntil(async () => (await count())[0]! > before[0]!, { describe: 'the summaries are counted' });
      expect(await count()).toEqual([before[0]! + summaries, before[1]! + evicted]);
    },
  );

  it('evicts the oldest facts that rest on one conversation alone, but not those that matter', async () => {
    const id = await service.post('facts', tell(12), { userId: 'fay' });
    const [first] = await messagesOf(id);
    const dependencies = { ...service.dependencies, randomBytes };
    const now = service.clock.now();
    const changes = Array.from({ length: 23 }, (_, index) => {
      const memory = newMemory(`The user owns lamp number ${index} of the market.`, now, {
        origin: 'extraction',
        pinned: index === 0,
        importance: index === 1 ? 4 : 2,
        sources: [{ messageId: first!.id, quote: 'lamps' }],
      });
      return { kind: 'observe' as const, memory };
    });
    const written = await service.inTenant((tx) =>
      writeMemories(tx, { userId: 'fay', actor: 'test', node: 'api', changes }, dependencies),
    );
    if (written.outcome !== 'applied') throw new Error(written.outcome);
    await service.post('facts', ['Bye.'], { userId: 'fay', end: true });
    await service.waitForRest(id);
    const states = await service.inTenant((tx) =>
      tx.query<{ id: string; deleted_by: string }>(`SELECT id, deleted_by FROM memories WHERE deleted_by IS NOT NULL`),
    );
    const evicted = states.filter(({ deleted_by }) => deleted_by === 'eviction').map((memory) => memory.id);
    const ids = written.results.map(({ memoryId }) => memoryId);
    expect(evicted.toSorted()).toEqual(ids.slice(2, 7).toSorted());
    const events = await service.inTenant((tx) =>
      tx.query<{ event: string }>(
        `SELECT h.event FROM history h WHERE h.memory_id = ANY ($1) AND h.event = 'EVICT'
         UNION ALL SELECT c.event FROM change_log c WHERE c.memory_id = ANY ($1) AND c.event = 'evicted'`,
        [evicted],
      ),
    );
    expect(
      events
        .map(({ event }) => event)
        .toSorted()
        .join(' '),
    ).toBe([...Array<string>(5).fill('EVICT'), ...Array<string>(5).fill('evicted')].join(' '));
  });

  it('derives the recent activity from summaries and the turns that they do not cover', async () => {
    const id = await service.post('active', tell(12), { userId: 'mara', end: true });
    await service.waitForRest(id);
    await service.post('active', ['I will paint the boat.'], { userId: 'mara' });
    const read = (now: number, rest = {}) =>
      service.inTenant((tx) =>
        readRecentActivity(tx, { userId: 'mara', agentId: null, threadId: null, now, limit: 30, ...rest }),
      );
    const now = service.clock.now();
    expect(await read(now)).toMatchObject([
      { type: 'turn', content: 'I will paint the boat.' },
      { type: 'summary', threadId: 'active', toSeq: 11 },
    ]);
    expect(await read(now, { limit: 1 })).toHaveLength(1);
    expect(await read(now, { agentId: 'other' })).toEqual([]);
    expect(await read(now + 8 * 24 * 60 * MINUTE)).toEqual([]);
  });
});
