import fc from 'fast-check';
import { post, buildMessage } from '../fixtures/post.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { indexTurns } from './index-turns.js';

describe('the lexical index', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
  });
  afterAll(() => fixture.close());

  const postings = (userId: string) => recall.postings(userId);
  const readStatistics = async (userId: string) =>
    (
      await fixture.queryAsSuperuser<{
        next_unit: number;
        turn_count: number;
        units: number;
        length: number;
        turn_length: number;
      }>(
        `SELECT next_unit, turn_count, turn_length::int,
                (SELECT count(*)::int FROM lexical_units l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id) AS units,
                (SELECT coalesce(sum(length), 0)::int FROM lexical_units l
                  WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id AND message_id IS NOT NULL) AS length
           FROM users u WHERE u.tenant_id = $1 AND u.user_id = $2`,
        [recall.tenantId, userId],
      )
    )[0]!;

  it('indexes a batch once, however often it runs', async () => {
    const batchId = await recall.postTurns('once', 't', 'I like tea', 'and coffee');
    expect(await Promise.all([recall.index(batchId), recall.index(batchId), recall.index(batchId)])).toEqual(
      expect.arrayContaining(['indexed', 'already', 'already']),
    );
    const before = await postings('once');
    expect(await recall.index(batchId)).toBe('already');
    expect(await postings('once')).toEqual(before);
    expect(await readStatistics('once')).toMatchObject({ next_unit: 2, turn_count: 2, units: 2 });
  });

  it('prefers turns of the user for a question with "I", not those of another participant', async () => {
    const [own, others] = [{ content: 'A zither for me' }, { content: 'A zither, please', actorId: 'U0423' }];
    const batchId = await recall.postTurns('speakers', 't', own, others, {
      content: 'A zither here',
      actorId: 'speakers',
    });
    const scored = async () => {
      const found = await recall.candidates('speakers', 'What did I ask about a zither?');
      const score = (content: string) => found.find((candidate) => candidate.content === content)!.lexical;
      return score('A zither, please') < Math.min(score('A zither for me'), score('A zither here'));
    };
    expect(await scored()).toBe(true);
    await recall.index(batchId);
    expect(await scored()).toBe(true);
    const indexed = await postings('speakers');
    await recall.rebuild('speakers');
    const terms = (rows: object[]) => rows.filter((row) => 'term' in row && row.term === '#user').length;
    expect([terms(indexed), terms(await postings('speakers'))]).toEqual([2, 2]);
  });

  it('skips an open batch and an unknown one', async () => {
    const { batchIds } = await post(fixture, recall.tenantId, {
      userId: 'open',
      messages: [buildMessage('I like tea')],
    });
    expect(await recall.index(batchIds[0]!)).toBe('skipped');
    expect(await recall.index(fixture.ids.next())).toBe('skipped');
    expect(await recall.contents('open', 'tea')).toEqual(['I like tea']);
  });

  it('indexes nothing of a user who was erased after the batch was accepted', async () => {
    const batchId = await recall.postTurns('erased', 't', 'I like tea');
    await fixture.queryAsSuperuser('UPDATE users SET erased_at = $2 WHERE user_id = $1', [
      'erased',
      new Date(fixture.clock.now()),
    ]);
    expect(await recall.index(batchId)).toBe('skipped');
    expect(await postings('erased')).toEqual([]);
  });

  it('finds a turn by its neighbours’ words, across the boundary of a batch, and returns it alone', async () => {
    await recall.postAndIndexTurns('near', 't', 'Where did you spend the holidays?');
    await recall.postAndIndexTurns('near', 't', 'At the lake, with my brother');
    const found = await recall.candidates('near', 'holidays');
    expect(found.map(({ content }) => content).toSorted()).toEqual([
      'At the lake, with my brother',
      'Where did you spend the holidays?',
    ]);
    expect(await recall.contents('near', 'lake')).toEqual([
      'At the lake, with my brother',
      'Where did you spend the holidays?',
    ]);
  });

  it('isolates conversations', async () => {
    await recall.postAndIndexTurns('apart', 't1', 'Where did you spend the holidays?');
    await recall.postAndIndexTurns('apart', 't2', 'At the lake, with my brother');
    expect(await recall.contents('apart', 'holidays')).toEqual(['Where did you spend the holidays?']);
  });

  it('indexes a batch of fifty and a message of many words', async () => {
    const words = Array.from({ length: 3_000 }, (_, n) => `word${n}`).join(' ');
    await recall.postAndIndexTurns('long', 't', ...Array.from({ length: 49 }, (_, n) => `tea number ${n}`), words);
    expect(await recall.contents('long', 'word2999')).toContain(words);
    expect(await recall.contents('long', 'tea', { limit: 49 })).toHaveLength(49);
  });

  it('assigns no number twice when batches and memories of a user are indexed concurrently', async () => {
    const batches = [];
    for (let n = 0; n < 8; n += 1) batches.push(await recall.postTurns('crowd', `t${n}`, `tea ${n}`, `more tea ${n}`));
    await Promise.all([
      ...batches.map((batchId) => recall.index(batchId)),
      ...Array.from({ length: 8 }, (_, n) => recall.remember('crowd', `Ana likes tea of kind ${n}`)),
    ]);
    expect(await readStatistics('crowd')).toMatchObject({ next_unit: 24, turn_count: 16, units: 24 });
    expect(await recall.contents('crowd', 'tea', { limit: 50 })).toHaveLength(24);
  });

  it('results in the same index for any order of batches, and after a full reindex', async () => {
    const said = fc.array(fc.constantFrom('tea', 'lake', 'brother?', 'we like coffee', 'In May. The cat is old'), {
      minLength: 1,
      maxLength: 4,
    });
    let user = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(said, fc.integer({ min: 0, max: 1 })), { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        async (posts, chances) => {
          const userId = `order-${user++}`;
          const batches: string[] = [];
          for (const [turns, thread] of posts) batches.push(await recall.postTurns(userId, `t${thread}`, ...turns));
          const order = batches
            .map((batchId) => ({ batchId, at: chances.next().value }))
            .toSorted((a, b) => a.at - b.at);
          for (const { batchId } of order) expect(await recall.index(batchId)).toBe('indexed');
          const [found, statistics] = [await postings(userId), await readStatistics(userId)];
          await recall.rebuild(userId);
          expect(await postings(userId)).toEqual(found);
          const { turn_count, units } = statistics;
          const after = await readStatistics(userId);
          expect(after).toMatchObject({ turn_count, units, turn_length: after.length });
        },
      ),
      { numRuns: 25 },
    );
  });

  it('locks the user before the batch', async () => {
    const batchId = await recall.postTurns('locks', 't', 'I like tea');
    let indexing: Promise<unknown> | undefined;
    await fixture.inTenant(recall.tenantId, async (tx) => {
      await tx.query(`SELECT FROM users WHERE user_id = 'locks' FOR UPDATE`);
      indexing = fixture.inTenant(recall.tenantId, (other) =>
        indexTurns(other, { batchId, now: fixture.clock.now(), ids: fixture.ids }),
      );
      // While it waits for the user's lock, the batch is not locked.
      await tx.query('SELECT FROM batches WHERE id = $1 FOR UPDATE NOWAIT', [batchId]);
    });
    expect(await indexing).toBe('indexed');
  });
});
