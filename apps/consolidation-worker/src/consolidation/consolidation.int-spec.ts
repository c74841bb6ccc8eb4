import { randomBytes } from 'node:crypto';
import { consolidationQueue } from '@annals/contracts';
import { DAY_MS, findLostFacts, MAX_BATCH_PAIRS, MAX_PAIRS_PER_DAY, SeededRng } from '@annals/domain';
import { drawAllowance, queueMindRun, readPairsOfDay, readSubjectOfUser, undoRun } from '@annals/storage';
import { answerHonestly, type LabelledMemoryPair, lie, MEMORY_PAIRS } from '@annals/testing';
import { ScriptedConsolidation, TOKENS_PER_CALL } from './scripted-consolidation.fixture.js';

const [SHORT, LONG] = ['The user works at Siemens.', 'The user works at Siemens as a team lead.'];
const labelled = new Map(
  MEMORY_PAIRS.flatMap((pair) => [`${pair.a} / ${pair.b}`, `${pair.b} / ${pair.a}`].map((key) => [key, pair])),
);
const findPair = (a: string, b: string): LabelledMemoryPair | undefined => labelled.get(`${a} / ${b}`);
const honest = (a: string, b: string) => {
  const pair = findPair(a, b);
  return pair ? answerHonestly(pair) : ({ verdict: 'apart' } as const);
};

describe('consolidation', () => {
  let mind: ScriptedConsolidation;
  let tenantId: string;
  let users = 0;

  beforeAll(async () => {
    mind = await ScriptedConsolidation.open();
  });
  afterAll(() => mind.close());
  beforeEach(async () => {
    tenantId = await mind.addTenant();
    mind.asked.length = 0;
    mind.answer = honest;
    mind.setback = null;
    mind.tokensPerDay = 1_000_000;
    mind.readMs = 0;
    mind.callMs = 0;
  });

  const nextUser = () => `user-${++users}`;
  const some = (count: number, kinds: readonly string[] = ['same', 'topic', 'changed', 'negation', 'other']) =>
    kinds.flatMap((kind) => MEMORY_PAIRS.filter((pair) => pair.kind === kind).slice(0, count / kinds.length));
  const rememberPairs = (userId: string, pairs: readonly LabelledMemoryPair[]) =>
    mind.remember(tenantId, userId, [...new Set(pairs.flatMap(({ a, b }) => [a, b]))]);
  const countAsked = () => mind.asked.reduce((sum, pairs) => sum + pairs.length, 0);
  const readChangesOf = async (userId: string) => {
    const runs = await mind.listRuns(tenantId, userId);
    return (await Promise.all(runs.map(({ id }) => mind.readChanges(tenantId, id)))).flat();
  };
  const readContents = async (ids: readonly string[]) => {
    const rows = await mind.database.readTenant(tenantId, (tx) =>
      tx.query<{ id: string; content: string }>('SELECT id, content FROM memories WHERE id = ANY ($1)', [ids]),
    );
    const contents = new Map(rows.map(({ id, content }) => [id, content]));
    return ids.map((id) => contents.get(id)!);
  };

  it('merges what words decide without a model, and does nothing while nothing changes', async () => {
    mind.answer = null;
    const userId = nextUser();
    await mind.remember(tenantId, userId, [SHORT, LONG, 'The user has a cat.']);
    expect(await mind.tick(tenantId, userId)).toEqual({ ends: 'done' });
    expect(await mind.listCurrent(tenantId, userId)).toEqual(['The user has a cat.', LONG]);
    expect(await mind.listRuns(tenantId, userId)).toMatchObject([
      { state: 'done', trigger: 'schedule', calls: 0, counts: { merges: 1, asked: 0, postponed: 0 } },
    ]);
    expect(await mind.readWork(tenantId, userId)).toEqual([]);
    await mind.tick(tenantId, userId);
    expect(await mind.listRuns(tenantId, userId)).toHaveLength(1);
  });

  it('asks a model in batches, and asks nothing again while the pairs are unchanged', async () => {
    const userId = nextUser();
    await rememberPairs(userId, some(30));
    await mind.tick(tenantId, userId);
    expect(mind.asked.length).toBeGreaterThan(0);
    for (const pairs of mind.asked) expect(pairs.length).toBeLessThanOrEqual(MAX_BATCH_PAIRS);
    const [run] = await mind.listRuns(tenantId, userId);
    expect(run!.counts['merges']).toBeGreaterThan(0);
    mind.asked.length = 0;
    await mind.tick(tenantId, userId);
    expect(mind.asked).toEqual([]);
    // Something else changed: the pairs that were decided are known by their fingerprints.
    await mind.remember(tenantId, userId, ['The user was born in Reykjavik.']);
    await mind.tick(tenantId, userId);
    expect(await mind.listRuns(tenantId, userId)).toHaveLength(2);
    expect(mind.asked).toEqual([]);
  });

  it('writes nothing wrong and loses no fact when a model lies in a fifth of its answers', async () => {
    const rng = new SeededRng(7);
    mind.answer = (a, b) => {
      const pair = findPair(a, b);
      return pair && rng.nextFloat() < 0.2 ? lie(pair, rng) : honest(a, b);
    };
    const userId = nextUser();
    await rememberPairs(userId, [...some(60, ['same']), ...some(80, ['topic', 'changed', 'negation', 'other'])]);
    const before = await mind.listCurrent(tenantId, userId);
    await mind.tick(tenantId, userId);
    const merges = (await readChangesOf(userId)).filter(
      ({ change, state }) => change === 'merge' && state === 'written',
    );
    expect(merges.length).toBeGreaterThan(3);
    for (const { memory_ids, result_id } of merges) {
      const [a, b, text] = (await readContents([...memory_ids, result_id!])) as [string, string, string];
      expect([a, b, findLostFacts([a, b], text)]).toEqual([a, b, []]);
      expect([a, b, findPair(a, b)?.expected ?? 'merge']).toEqual([a, b, 'merge']);
    }
    const after = await mind.listCurrent(tenantId, userId);
    expect(before.length - after.length).toBe(merges.length);
    expect(findLostFacts(before, after.join(' ')).filter(({ kind }) => kind === 'number' || kind === 'name')).toEqual(
      [],
    );
  });

  it('plans in a dry run what a run then does, and changes nothing', async () => {
    const userId = nextUser();
    await mind.remember(tenantId, userId, [SHORT, LONG]);
    const before = await mind.listCurrent(tenantId, userId);
    const id = mind.ids.next();
    await mind.database.inTenant(tenantId, async (tx) => {
      const subjectId = (await readSubjectOfUser(tx, userId))!;
      const run = { id, kind: 'consolidation', subjectId, userId, isDryRun: true } as const;
      await queueMindRun(tx, { ...run, startedAt: mind.clock.now() });
    });
    await mind.tick(tenantId, userId);
    expect(await mind.listCurrent(tenantId, userId)).toEqual(before);
    expect(await mind.listRuns(tenantId, userId)).toMatchObject([
      { id, state: 'done', trigger: 'manual', dry_run: true, counts: { merges: 1 } },
    ]);
    const planned = await mind.readChanges(tenantId, id);
    expect(planned).toMatchObject([{ change: 'merge', state: 'planned', result_id: null }]);
    // The run of the day is still to come.
    expect(await mind.readWork(tenantId, userId)).toHaveLength(1);
    await mind.tick(tenantId, userId);
    const [done] = (await readChangesOf(userId)).filter(({ state }) => state === 'written');
    expect(done).toMatchObject({ change: 'merge', memory_ids: planned[0]!.memory_ids });
  });

  it('leaves no effect when it is killed before the commit, and one when it runs again', async () => {
    const userId = nextUser();
    await mind.remember(tenantId, userId, [SHORT, LONG]);
    const before = await mind.listCurrent(tenantId, userId);
    expect(await mind.tick(tenantId, userId, { isKilled: true })).toBe('killed');
    expect(await mind.listCurrent(tenantId, userId)).toEqual(before);
    expect(await readChangesOf(userId)).toEqual([]);
    await mind.tick(tenantId, userId);
    expect((await readChangesOf(userId)).map(({ change, state }) => [change, state])).toEqual([['merge', 'written']]);
  });

  it('asks about no more than 50 pairs of a user and day, however often it is started', async () => {
    const userId = nextUser();
    mind.answer = () => ({ verdict: 'apart' });
    await rememberPairs(userId, some(100));
    // Most of the day's pairs are used up.
    const day = new Date(mind.clock.now()).toISOString().slice(0, 10);
    const drawn = { userId, day, pairs: 45, maxPairs: MAX_PAIRS_PER_DAY, tokens: 0, maxTokens: 0 };
    await mind.database.inTenant(tenantId, (tx) => drawAllowance(tx, drawn));
    const ending = await mind.tick(tenantId, userId);
    expect(ending).toMatchObject({ ends: 'deferred', reason: 'not_due' });
    for (let again = 0; again < 2; again += 1) await mind.tick(tenantId, userId);
    expect(countAsked()).toBeGreaterThan(0);
    expect(countAsked()).toBeLessThanOrEqual(5);
    mind.clock.advance(DAY_MS);
    await mind.tick(tenantId, userId);
    expect(countAsked()).toBeGreaterThan(5);
    expect(countAsked()).toBeLessThanOrEqual(5 + MAX_PAIRS_PER_DAY);
  });

  it('ends as a part when the search takes long, and goes on with the others', async () => {
    mind.answer = null;
    const userId = nextUser();
    await mind.remember(tenantId, userId, [SHORT, LONG]);
    mind.clock.advance(DAY_MS);
    // Names share no word, so nothing of this is a pair: two slices and a half, all more recent than the pair.
    await mind.remember(
      tenantId,
      userId,
      Array.from({ length: 125 }, (_, index) => `${'abcdefghijklmnopqrstuvwxy'[index % 25]}${index * index}zz`),
    );
    mind.readMs = 40_000;
    const readCounts = async () => (await mind.listRuns(tenantId, userId))[0]!.counts;
    expect(await mind.tick(tenantId, userId)).toMatchObject({ ends: 'deferred', reason: 'not_due' });
    expect(await readCounts()).toMatchObject({ memories: 127, merges: 0, candidates_postponed: 77 });
    expect(await mind.tick(tenantId, userId)).toMatchObject({ ends: 'deferred' });
    expect(await readCounts()).toMatchObject({ candidates_postponed: 27 });
    expect(await mind.tick(tenantId, userId)).toEqual({ ends: 'done' });
    expect(await readCounts()).toMatchObject({ merges: 1, candidates_postponed: 0 });
    expect(await mind.listCurrent(tenantId, userId)).toContain(LONG);
    expect(await mind.listCurrent(tenantId, userId)).not.toContain(SHORT);
  });

  it('never passes the tokens of a tenant and day, and goes on with the rest on the next one', async () => {
    const [ada, bob] = [nextUser(), nextUser()];
    mind.answer = () => ({ verdict: 'apart' });
    for (const userId of [ada, bob]) await rememberPairs(userId, some(100));
    // Room for the most that one call can take, and what one takes indeed.
    mind.tokensPerDay = 8_000;
    for (let round = 0; round < 2; round += 1) {
      for (const userId of [ada, bob]) await mind.tick(tenantId, userId);
    }
    const first = mind.asked.length;
    expect(first).toBeGreaterThan(0);
    expect(first * TOKENS_PER_CALL).toBeLessThanOrEqual(mind.tokensPerDay);
    const waiting = (await Promise.all([ada, bob].map((userId) => mind.readWork(tenantId, userId)))).flat();
    expect(waiting.map((work) => work.deferred_reason)).toContain('not_due');
    mind.clock.advance(DAY_MS);
    for (const userId of [ada, bob]) await mind.tick(tenantId, userId);
    expect(mind.asked.length).toBeGreaterThan(first);
  });

  it('waits with nothing written when there is no energy, and goes on as the same run', async () => {
    const userId = nextUser();
    await rememberPairs(userId, some(60, ['topic']));
    const ending = { ends: 'deferred', reason: 'energy', until: mind.clock.now() + 1_000 } as const;
    mind.setback = { outcome: 'wait', ending };
    expect(await mind.tick(tenantId, userId)).toEqual(ending);
    expect(await readChangesOf(userId)).toEqual([]);
    mind.setback = null;
    mind.answer = () => ({ verdict: 'link' });
    await mind.tick(tenantId, userId);
    expect(await mind.listRuns(tenantId, userId)).toMatchObject([{ state: 'done' }]);
  });

  it('uses up no pair of the day while a call has to wait', async () => {
    const userId = nextUser();
    mind.answer = () => ({ verdict: 'apart' });
    await rememberPairs(userId, some(60, ['topic']));
    const ending = { ends: 'deferred', reason: 'provider_unavailable', until: mind.clock.now() + 1_000 } as const;
    mind.setback = { outcome: 'wait', ending };
    for (let attempt = 0; attempt < 6; attempt += 1) expect(await mind.tick(tenantId, userId)).toEqual(ending);
    mind.setback = null;
    await mind.tick(tenantId, userId);
    const day = new Date(mind.clock.now()).toISOString().slice(0, 10);
    expect(countAsked()).toBeGreaterThan(0);
    expect(await mind.database.readTenant(tenantId, (tx) => readPairsOfDay(tx, userId, day))).toBe(countAsked());
    const [run] = await mind.listRuns(tenantId, userId);
    expect(run!.counts['asked']).toBe(countAsked());
  });

  it('ends as a part before its job would, with all that it paid for', async () => {
    const userId = nextUser();
    const unlike = 'The user keeps 17 bees in Oslo.';
    const orders = new Map<string, number>();
    // The first answer about each pair states what neither says, so that each question is two calls.
    mind.answer = (a, b) => {
      const times = (orders.get(`${a} / ${b}`) ?? 0) + 1;
      orders.set(`${a} / ${b}`, times);
      return times === 1 ? { verdict: 'merge', content: unlike } : { verdict: 'link' };
    };
    mind.callMs = 59_000;
    await rememberPairs(userId, some(300));
    const startedMs = mind.clock.monotonicNow();
    expect(await mind.tick(tenantId, userId)).toMatchObject({ ends: 'deferred', reason: 'not_due' });
    expect(mind.clock.monotonicNow() - startedMs).toBe(4 * mind.callMs);
    expect(mind.clock.monotonicNow() - startedMs).toBeLessThan(consolidationQueue.timeoutMs);
    const [run] = await mind.listRuns(tenantId, userId);
    expect(run!.counts['postponed']).toBeGreaterThan(0);
    const decided = mind.asked[0]!.length + mind.asked[2]!.length;
    expect(run!.counts['asked']).toBe(decided);
    expect(run!.counts['links']).toBeGreaterThan(0);
  });

  it('asks again in the other order before a merge of which one memory says more', async () => {
    const userId = nextUser();
    const [a, b] = ['The user sleeps badly.', 'The user sleeps badly before exams.'];
    await mind.remember(tenantId, userId, [a, b]);
    const orders: string[] = [];
    mind.answer = (first) => {
      orders.push(first);
      return orders.length === 1 ? { verdict: 'merge', content: b } : { verdict: 'link' };
    };
    await mind.tick(tenantId, userId);
    expect(orders).toHaveLength(2);
    expect(new Set(orders).size).toBe(2);
    expect(await mind.listCurrent(tenantId, userId)).toEqual([a, b].toSorted());
  });

  it('does not merge again what an undo separated', async () => {
    mind.answer = null;
    const userId = nextUser();
    await mind.remember(tenantId, userId, [SHORT, LONG]);
    await mind.tick(tenantId, userId);
    const [run] = await mind.listRuns(tenantId, userId);
    const { clock, ids } = mind;
    const undone = await mind.database.inTenant(tenantId, (tx) =>
      undoRun(tx, { runId: run!.id, userId, actor: 'key:k' }, { clock, ids, randomBytes }),
    );
    expect(undone).toEqual({ undone: 1, left: {} });
    await mind.tick(tenantId, userId);
    expect(await mind.listCurrent(tenantId, userId)).toEqual([SHORT, LONG].toSorted());
  });

  it.each(['waits', 'has failed'])('undoes the parts of a run that %s, which then does not go on', async (how) => {
    const userId = nextUser();
    await mind.remember(tenantId, userId, [SHORT, LONG]);
    // The first part merges by words; the model that the others need has no energy.
    await rememberPairs(userId, some(20, ['topic']));
    const all = await mind.listCurrent(tenantId, userId);
    const ending = { ends: 'deferred', reason: 'energy', until: mind.clock.now() + 1_000 } as const;
    mind.setback = { outcome: 'wait', ending };
    expect(await mind.tick(tenantId, userId)).toEqual(ending);
    const [first] = await mind.listRuns(tenantId, userId);
    expect(first).toMatchObject({ state: 'deferred' });
    expect(await mind.listCurrent(tenantId, userId)).not.toEqual(all);
    if (how === 'has failed') {
      mind.setback = { outcome: 'failed', code: 'transient' };
      await mind.tick(tenantId, userId);
      expect(await mind.listRuns(tenantId, userId)).toMatchObject([{ id: first!.id, state: 'failed' }]);
    }
    const { clock, ids } = mind;
    const undone = await mind.database.inTenant(tenantId, (tx) =>
      undoRun(tx, { runId: first!.id, userId, actor: 'key:k' }, { clock, ids, randomBytes }),
    );
    expect(undone).toMatchObject({ left: {} });
    expect(await mind.listCurrent(tenantId, userId)).toEqual(all);
    mind.setback = null;
    mind.answer = () => ({ verdict: 'apart' });
    await mind.tick(tenantId, userId);
    const runs = await mind.listRuns(tenantId, userId);
    expect(runs.map(({ state }) => state)).toEqual(['done', 'undone']);
    expect(await mind.listCurrent(tenantId, userId)).toEqual(all);
  });

  it('touches no other user, and no other tenant', async () => {
    mind.answer = null;
    const other = await mind.addTenant();
    const [ada, bob] = [nextUser(), nextUser()];
    for (const [tenant, userId] of [
      [tenantId, ada],
      [tenantId, bob],
      [other, ada],
    ] as const) {
      await mind.remember(tenant, userId, [SHORT, LONG]);
    }
    await mind.tick(tenantId, ada);
    expect(await mind.listCurrent(tenantId, ada)).toEqual([LONG]);
    expect(await mind.listCurrent(tenantId, bob)).toEqual([SHORT, LONG].toSorted());
    expect(await mind.listCurrent(other, ada)).toEqual([SHORT, LONG].toSorted());
  });
});
