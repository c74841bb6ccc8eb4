import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { findUnindexed } from './find-unindexed.js';
import { removeUnits, type UnitSelector } from './remove-units.js';

describe('lexical index maintenance', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
  });
  afterAll(() => fixture.close());

  const remove = (of: UnitSelector) => fixture.inTenant(recall.tenantId, (tx) => removeUnits(tx, of));
  const countPostings = async (userId: string) =>
    (
      await fixture.queryAsSuperuser<{ terms: string[] }>(
        'SELECT array_agg(DISTINCT term ORDER BY term) AS terms FROM lexical_postings WHERE user_id = $1',
        [userId],
      )
    )[0]!.terms;

  it('removes all words of a memory, and none of another', async () => {
    const [cello] = await recall.remember('m', 'Ana plays the cello', 'Ana plays the violin');
    expect(await countPostings('m')).toContain('cello');
    expect(await remove({ userId: 'm', memoryIds: [cello!] })).toEqual({ removed: 1 });
    expect(await countPostings('m')).not.toContain('cello');
    expect(await recall.contents('m', 'plays cello')).toEqual(['Ana plays the violin']);
    expect(await remove({ userId: 'm', memoryIds: [cello!] })).toEqual({ removed: 0 });
  });

  it('removes turns with the words that neighbours got from them, with their conversation', async () => {
    await recall.postAndIndexTurns('t', 'one', 'I saw a heron', 'and a stork');
    await recall.postAndIndexTurns('t', 'two', 'I like tea');
    const messageIds = [await recall.messageId('t', 'I saw a heron'), await recall.messageId('t', 'and a stork')];
    expect(await remove({ userId: 't', messageIds })).toEqual({ removed: 2 });
    const terms = await countPostings('t');
    expect(terms.filter((term) => /heron|stork/.test(term))).toEqual([]);
    expect(await recall.contents('t', 'heron stork tea')).toEqual(['I like tea']);
    const [user] = await fixture.queryAsSuperuser(`SELECT turn_count FROM users WHERE user_id = 't'`);
    expect(user).toEqual({ turn_count: 1 });
  });

  it('does not change other users and other tenants', async () => {
    const other = new RecallFixture(fixture, await fixture.addTenant());
    const [mine] = await recall.remember('same', 'Ana plays the cello');
    await recall.remember('else', 'Ana plays the cello');
    await other.remember('same', 'Ana plays the cello');
    await remove({ userId: 'same', memoryIds: [mine!] });
    expect(await recall.contents('else', 'cello')).toHaveLength(1);
    expect(await other.contents('same', 'cello')).toHaveLength(1);
    expect(await recall.contents('same', 'cello')).toEqual([]);
  });

  it('lists users of an older analyser, then unindexed sealed batches, and nothing once all are indexed', async () => {
    await recall.remember('stale', 'Ana plays the cello');
    await fixture.queryAsSuperuser(`UPDATE users SET analyzer = 0 WHERE user_id = 'stale'`);
    const batchId = await recall.postTurns('missed', 't', 'I like tea');
    const later = fixture.clock.now() + 3_600_000;
    const find = () => findUnindexed(fixture.database, { limit: 10, now: later });
    const { tenantId } = recall;
    expect(await find()).toEqual([
      { tenantId, userId: 'stale', batchId: null },
      { tenantId, userId: 'missed', batchId },
    ]);
    // A worker is about to claim it.
    expect(await findUnindexed(fixture.database, { limit: 10, now: fixture.clock.now() })).toHaveLength(1);
    await recall.rebuild('stale');
    await recall.index(batchId);
    expect(await find()).toEqual([]);
  });

  it('rebuilds an outdated index once, however many ask for it', async () => {
    await recall.remember('asked', 'Ana plays the cello');
    await fixture.queryAsSuperuser(`UPDATE users SET analyzer = 0 WHERE user_id = 'asked'`);
    const progress = await Promise.all([recall.reindexPage('asked'), recall.reindexPage('asked')]);
    expect(progress.map(({ state }) => state).toSorted()).toEqual(['current', 'finished']);
    expect((await recall.find('asked', 'cello')).isUnindexed).toBe(false);
    expect(await recall.contents('asked', 'cello')).toEqual(['Ana plays the cello']);
  });

  it('rebuilds the index, also for superseded memories and those that can be restored', async () => {
    const [old, gone] = await recall.remember('anew', 'Ana lives in Berlin', 'Ana plays the cello');
    await recall.write('anew', { kind: 'supersede', memoryId: old!, memory: recall.memory('Ana lives in Munich') });
    await recall.write('anew', { kind: 'delete', memoryId: gone!, by: 'user' });
    await recall.write('anew', recall.observe('Ana owns a yacht', { quarantineReason: 'quote_not_found' }));
    await recall.postAndIndexTurns('anew', 't', 'I like tea');
    await recall.postTurns('anew', 't', 'and coffee');
    const [before] = await fixture.queryAsSuperuser(
      `SELECT memory_count, term_total, turn_count FROM users WHERE user_id = 'anew'`,
    );
    expect(await recall.rebuild('anew')).toBe(1);
    const [after] = await fixture.queryAsSuperuser(
      `SELECT memory_count, term_total, turn_count FROM users WHERE user_id = 'anew'`,
    );
    expect(after).toEqual(before);
    await recall.write('anew', { kind: 'restore', memoryId: gone! });
    expect(await recall.contents('anew', 'cello')).toEqual(['Ana plays the cello']);
    expect(await recall.contents('anew', 'coffee')).toContain('and coffee');
    await recall.remember('anew', 'Ana has a cat');
    expect(await recall.contents('anew', 'cat')).toEqual(['Ana has a cat']);
  });

  it('is without a memory that an undo deleted, also when rebuilt, until it is restored', async () => {
    const [old] = await recall.remember('undone', 'Ana plays the cello');
    const before = await recall.postings('undone');
    await recall.write('undone', { kind: 'supersede', memoryId: old!, memory: recall.memory('Ana plays the violin') });
    const replaced = await recall.postings('undone');
    const [{ id: next } = { id: '' }] = await fixture.queryAsSuperuser<{ id: string }>(
      `SELECT superseded_by AS id FROM memories WHERE id = $1`,
      [old],
    );
    for (const rebuild of [false, true]) {
      await recall.write('undone', { kind: 'undo', memoryId: old! });
      if (rebuild) await recall.rebuild('undone');
      expect(await recall.postings('undone')).toEqual(before);
      expect(await recall.contents('undone', 'violin')).toEqual([]);
      await recall.write('undone', { kind: 'undo', memoryId: old! });
      expect(await recall.postings('undone')).toEqual(replaced);
      expect(await recall.contents('undone', 'violin')).toEqual(['Ana plays the violin']);
    }
    await recall.write('undone', { kind: 'undo', memoryId: old! });
    await recall.write('undone', { kind: 'delete', memoryId: next, by: 'user' });
    await recall.write('undone', { kind: 'restore', memoryId: next });
    expect(await recall.contents('undone', 'violin')).toEqual(['Ana plays the violin']);
  });
});
