import { randomBytes } from 'node:crypto';
import { ANALYZER_VERSION, REINDEXING_VERSION } from '@annals/domain';
import { restoreEvictedTurns } from '../eviction/evict.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { lockConversation } from '../summaries/write-summaries.js';
import { findUnindexed } from './find-unindexed.js';
import { reindexPage } from './reindex-user.js';
import { removeUnits } from './remove-units.js';

const FACTS = ['Ana plays the cello', 'Ana has a zither', 'Ana lives in Berlin', 'Ana owns a yacht', 'Ana likes tea'];
const TALK = [
  'Where did you spend the holidays?',
  'At the lake',
  'With a heron?',
  'No, with my brother',
  'He likes tea',
];
const QUESTIONS = ['cello', 'holidays at the lake', 'Ana likes tea', 'zither', 'heron'];
const SMALL = { page: 2, sweepPage: 3 };

describe('rebuilding an index in steps', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
  });
  afterAll(() => fixture.close());

  /** Memories in every state, and two threads whose batches were indexed in another order than they were said. */
  async function fill(userId: string): Promise<{ readonly memoryIds: readonly string[] }> {
    const memoryIds = await recall.remember(userId, ...FACTS);
    const moved = recall.memory('Ana lives in Munich');
    await recall.write(userId, { kind: 'supersede', memoryId: memoryIds[2]!, memory: moved });
    await recall.write(userId, { kind: 'delete', memoryId: memoryIds[3]!, by: 'user' });
    const [first, last] = [
      await recall.postTurns(userId, 'talk', ...TALK.slice(0, 2)),
      await recall.postTurns(userId, 'talk', ...TALK.slice(2)),
    ];
    await recall.index(last);
    await recall.postAndIndexTurns(userId, 'other', 'A stork flew by', 'and another one');
    await recall.index(first);
    return { memoryIds };
  }

  /** Leaves an index as another analyser would have made it: other terms, other lengths. */
  async function age(userId: string): Promise<void> {
    await fixture.inTenant(recall.tenantId, async (tx) => {
      await tx.execute(`UPDATE lexical_postings SET term = 'former-' || term WHERE user_id = $1`, [userId]);
      await tx.execute('UPDATE memories SET term_count = term_count + 1, slot = $2 WHERE user_id = $1', [userId, 'x']);
      await tx.execute(
        `UPDATE users SET turn_length = turn_length + 7,
                term_total = term_total + (SELECT count(*) FROM memories m WHERE m.user_id = $1 AND m.state = 'active'
                                              AND m.superseded_by IS NULL AND m.valid_to IS NULL)
          WHERE user_id = $1`,
        [userId],
      );
    });
    await fixture.queryAsSuperuser(
      `UPDATE lexical_units SET length = length + 7
        WHERE unit = (SELECT min(unit) FROM lexical_units WHERE user_id = $1 AND message_id IS NOT NULL) AND user_id = $1`,
      [userId],
    );
  }

  /** All that an index is: what is found by which words, and what the statistics are the sums of. */
  async function read(userId: string) {
    const [user] = await fixture.queryAsSuperuser(
      `SELECT analyzer, reindex_below, reindex_after, memory_count, term_total::int, turn_count, turn_length::int,
              (SELECT coalesce(sum(m.term_count), 0)::int FROM memories m
                WHERE m.user_id = u.user_id AND m.state = 'active' AND m.superseded_by IS NULL AND m.valid_to IS NULL) AS terms,
              (SELECT ARRAY [count(*)::int, sum(l.length)::int] FROM lexical_units l
                WHERE l.user_id = u.user_id AND l.message_id IS NOT NULL) AS turns
         FROM users u WHERE tenant_id = $1 AND user_id = $2`,
      [recall.tenantId, userId],
    );
    const units = await fixture.queryAsSuperuser(
      `SELECT memory_id, message_id, length FROM lexical_units WHERE tenant_id = $1 AND user_id = $2 ORDER BY 1, 2`,
      [recall.tenantId, userId],
    );
    const slots = await fixture.queryAsSuperuser(
      'SELECT id, slot, term_count FROM memories WHERE tenant_id = $1 AND user_id = $2 ORDER BY id',
      [recall.tenantId, userId],
    );
    return { user: user!, units, slots, postings: await recall.postings(userId) };
  }

  /** Entries of numbers that no unit has: what rebuilding left behind. */
  const countStray = async (userId: string) =>
    (
      await fixture.queryAsSuperuser<{ n: number }>(
        `SELECT count(*)::int AS n FROM lexical_postings p
          CROSS JOIN LATERAL generate_series(0, length(p.entries) - 1, 8) AS e (at)
          WHERE p.user_id = $1 AND NOT EXISTS (SELECT FROM lexical_units u WHERE u.user_id = $1
            AND u.unit = (get_byte(p.entries, e.at) | (get_byte(p.entries, e.at + 1) << 8)))`,
        [userId],
      )
    )[0]!.n;
  const listTerms = async (userId: string) =>
    (
      await fixture.queryAsSuperuser<{ term: string }>('SELECT term FROM lexical_postings WHERE user_id = $1', [userId])
    ).map(({ term }) => term);
  const answer = (userId: string) => Promise.all(QUESTIONS.map((question) => recall.contents(userId, question)));
  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });

  it.each([1, 2, 5, 9])('results in the same index with %i units a step as in one go', async (page) => {
    const userId = `same-${page}`;
    await fill(userId);
    const written = await recall.postings(userId);
    expect(await recall.rebuild(userId)).toBe(1);
    const whole = await read(userId);
    expect(whole.postings).toEqual(written);
    expect(whole.user).toMatchObject({ analyzer: ANALYZER_VERSION, reindex_below: null, reindex_after: null });
    await age(userId);
    expect((await read(userId)).postings).not.toEqual(written);
    expect(await recall.rebuild(userId, { page, sweepPage: 4 })).toBeGreaterThan(whole.units.length / page);
    expect(await read(userId)).toEqual(whole);
    expect(whole.user).toMatchObject({ term_total: whole.user['terms'], turns: [7, whole.user['turn_length']] });
    expect(await countStray(userId)).toBe(0);
  });

  it('changes no more in a step than it may, and leaves the statistics right with each', async () => {
    await fill('bounded');
    await age('bounded');
    const measure = async () =>
      (
        await fixture.queryAsSuperuser<{ renewed: number; segments: number }>(
          `SELECT (SELECT count(*)::int FROM lexical_units l WHERE l.user_id = $1 AND l.former_unit IS NOT NULL) AS renewed,
                  (SELECT count(*)::int FROM lexical_postings p
                    WHERE p.user_id = $1 AND p.term LIKE 'former-%') AS segments`,
          ['bounded'],
        )
      )[0]!;
    let before = await measure();
    await recall.rebuild('bounded', {
      ...SMALL,
      between: async () => {
        const [after, { user }] = [await measure(), await read('bounded')];
        expect(after.renewed - before.renewed).toBeLessThanOrEqual(SMALL.page);
        expect(before.segments - after.segments).toBeLessThanOrEqual(SMALL.sweepPage);
        expect(user).toMatchObject({ term_total: user['terms'], turns: [7, user['turn_length']] });
        before = after;
      },
    });
    expect(before.renewed).toBe(FACTS.length + 1 + TALK.length + 2);
  });

  it('answers queries between any two steps as before', async () => {
    await fill('asked');
    const before = await answer('asked');
    expect(before.flat().length).toBeGreaterThan(QUESTIONS.length);
    const scores = async () =>
      (await recall.candidates('asked', 'cello tea', { types: ['semantic'] }))
        .map(({ content, lexical }) => `${content}: ${lexical.toFixed(6)}`)
        .toSorted();
    const scored = await scores();
    const steps = await recall.rebuild('asked', {
      ...SMALL,
      between: async () => {
        expect(await answer('asked')).toEqual(before);
        expect(await scores()).toEqual(scored);
      },
    });
    expect(steps).toBeGreaterThan(10);
    expect(await answer('asked')).toEqual(before);
  });

  it('indexes once what is written between steps', async () => {
    await fill('written');
    await age('written');
    await recall.rebuild('written', {
      ...SMALL,
      between: async (step) => {
        if (step > 12) return;
        await recall.remember('written', `Ana saw film number ${step}`);
        // A neighbour of what is not rebuilt yet, or is already.
        await recall.postAndIndexTurns('written', step % 2 === 0 ? 'talk' : 'other', `What about film ${step}?`);
      },
    });
    const found = await read('written');
    expect(await countStray('written')).toBe(0);
    expect(found.units).toHaveLength(FACTS.length + 1 + TALK.length + 2 + 24);
    expect(found.user['turns']).toEqual([found.user['turn_count'], found.user['turn_length']]);
    expect(await recall.rebuild('written', { page: 1_000 })).toBe(1);
    expect((await read('written')).postings).toEqual(found.postings);
  });

  it('goes on where a process was killed, as another process', async () => {
    await fill('killed');
    await recall.rebuild('killed');
    const whole = await read('killed');
    await age('killed');
    await recall.outdate('killed');
    for (let step = 0; ; step += 1) {
      const before = await read('killed');
      const killed = fixture.inTenant(recall.tenantId, async (tx) => {
        expect(await reindexPage(tx, { userId: 'killed', ...SMALL })).not.toMatchObject({ state: 'current' });
        throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      expect(await read('killed')).toEqual(before);
      // Without what the process before it has remembered.
      const { state } = await recall.reindexPage('killed', SMALL);
      if (state === 'finished') break;
      const { user } = await read('killed');
      expect(user).toMatchObject({ analyzer: REINDEXING_VERSION, reindex_below: expect.any(Number) });
      const gaps = await findUnindexed(fixture.database, { limit: 10, now: fixture.clock.now() });
      expect(gaps).toContainEqual({ tenantId: recall.tenantId, userId: 'killed', batchId: null });
    }
    expect(await read('killed')).toEqual(whole);
  });

  it('leaves no word of a memory or conversation that is deleted between steps', async () => {
    await fill('forgetful');
    const zither = (
      await fixture.queryAsSuperuser<{ id: string }>(
        `SELECT id FROM memories WHERE user_id = 'forgetful' AND content = 'Ana has a zither'`,
      )
    )[0]!.id;
    const talk = await Promise.all(TALK.map((content) => recall.messageId('forgetful', content)));
    await recall.rebuild('forgetful', {
      ...SMALL,
      between: async (step) => {
        const removed = step === 2 ? { memoryIds: [zither] } : step === 6 ? { messageIds: talk } : null;
        if (removed === null) return;
        const words = step === 2 ? ['zither'] : ['holidai', 'lake', 'heron', 'brother'];
        expect(await listTerms('forgetful')).toEqual(expect.arrayContaining(words));
        await fixture.inTenant(recall.tenantId, (tx) => removeUnits(tx, { userId: 'forgetful', ...removed }));
        expect((await listTerms('forgetful')).filter((term) => words.includes(term))).toEqual([]);
      },
    });
    const { user, units } = await read('forgetful');
    expect(user).toMatchObject({ turn_count: 2, analyzer: ANALYZER_VERSION });
    expect(units.length).toBeGreaterThan(0);
  });

  it('leaves nothing of a user who is erased between steps', async () => {
    await fill('erased');
    await recall.outdate('erased');
    for (let step = 0; step < 4; step += 1) await recall.reindexPage('erased', SMALL);
    const request = { userId: 'erased', actor: 'test', key: Buffer.alloc(32, 3) };
    await fixture.inTenant(recall.tenantId, (tx) => eraseUser(tx, request, dependencies()));
    expect(await recall.reindexPage('erased', SMALL)).toMatchObject({ state: 'current' });
    expect(await listTerms('erased')).toEqual([]);
    expect(await fixture.queryAsSuperuser(`SELECT FROM lexical_units WHERE user_id = 'erased'`)).toEqual([]);
    await recall.remember('erased', 'Ana is back');
    expect(await recall.contents('erased', 'back')).toEqual(['Ana is back']);
  });

  it('is right after undoing, restoring and evicting between steps', async () => {
    const { memoryIds } = await fill('undone');
    const [{ id: conversationId } = { id: '' }] = await fixture.queryAsSuperuser<{ id: string }>(
      `SELECT id FROM conversations WHERE user_id = 'undone' AND thread_id = 'talk'`,
    );
    const evicted = await recall.messageId('undone', TALK[0]!);
    await recall.rebuild('undone', {
      ...SMALL,
      between: async (step) => {
        if (step === 2) await recall.write('undone', { kind: 'undo', memoryId: memoryIds[2]! });
        if (step === 4) await recall.write('undone', { kind: 'restore', memoryId: memoryIds[3]! });
        if (step !== 5 && step !== 7) return;
        await fixture.inTenant(recall.tenantId, async (tx) => {
          await lockConversation(tx, 'undone', conversationId);
          if (step === 5) {
            await removeUnits(tx, { userId: 'undone', messageIds: [evicted] });
            await tx.execute('UPDATE messages SET evicted_at = $2 WHERE id = $1', [
              evicted,
              new Date(fixture.clock.now()),
            ]);
          } else {
            const about = { userId: 'undone', conversationId, actor: 'test' };
            expect(await restoreEvictedTurns(tx, about, dependencies())).toBe(1);
          }
        });
      },
    });
    const found = await read('undone');
    expect(await countStray('undone')).toBe(0);
    expect(await recall.contents('undone', 'holidays')).toContain(TALK[0]);
    expect(await recall.contents('undone', 'Munich')).toEqual([]);
    expect(await recall.contents('undone', 'yacht')).toEqual(['Ana owns a yacht']);
    await recall.rebuild('undone');
    expect((await read('undone')).postings).toEqual(found.postings);
  });

  it('indexes anew what a process of an earlier release adds between steps', async () => {
    await fill('mixed');
    await recall.rebuild('mixed', {
      ...SMALL,
      between: async (step) => {
        if (step !== 3) return;
        await recall.remember('mixed', 'Ana has a parrot');
        // As its analyser writes it, and what it leaves of the version.
        await fixture.queryAsSuperuser(`UPDATE lexical_postings SET term = 'former-' || term WHERE term = 'parrot'`);
        await fixture.queryAsSuperuser(`UPDATE users SET analyzer = least(analyzer, 1) WHERE user_id = 'mixed'`);
      },
    });
    expect(await recall.contents('mixed', 'parrot')).toEqual(['Ana has a parrot']);
    expect((await listTerms('mixed')).filter((term) => term.startsWith('former-'))).toEqual([]);
    expect(await countStray('mixed')).toBe(0);
  });

  it('takes out of the index what does not belong there', async () => {
    await fill('strays');
    await fixture.queryAsSuperuser('UPDATE messages SET evicted_at = now() WHERE id = $1', [
      await recall.messageId('strays', 'A stork flew by'),
    ]);
    await recall.rebuild('strays', SMALL);
    expect(await recall.contents('strays', 'stork')).toEqual([]);
    const { user } = await read('strays');
    expect(user).toMatchObject({ turn_count: 6, turns: [6, user['turn_length']] });
  });

  it('adds the memories of a user who has no index, all of which are found meanwhile', async () => {
    const batchId = await recall.postTurns('new', 'talk', ...TALK);
    const ids = await recall.remember('new', ...FACTS);
    await recall.write('new', { kind: 'supersede', memoryId: ids[2]!, memory: recall.memory('Ana lives in Munich') });
    await recall.write('new', { kind: 'undo', memoryId: ids[2]! });
    const indexed = await recall.postings('new');
    const before = await answer('new');
    for (const table of ['lexical_units', 'lexical_postings'])
      await fixture.queryAsSuperuser(`DELETE FROM ${table} WHERE user_id = 'new'`);
    await recall.outdate('new', 0);
    let steps = 0;
    while ((await recall.reindexPage('new', SMALL)).state !== 'finished') {
      steps += 1;
      expect((await recall.find('new', 'cello')).isUnindexed).toBe(true);
      expect(await answer('new')).toEqual(before);
    }
    expect(steps).toBe(Math.floor((FACTS.length + 1) / SMALL.page));
    expect(await recall.postings('new')).toEqual(indexed);
    expect((await recall.find('new', 'cello')).isUnindexed).toBe(false);
    // A worker or the job indexes it, with the work that follows.
    expect(await recall.index(batchId)).toBe('indexed');
    expect(await answer('new')).toEqual(before);
  });
});
