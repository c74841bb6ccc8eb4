import { GLOBAL_OWNER } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import { RecallFixture, vectorOf } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { findCandidates } from './find-candidates.js';
import { listCategoryMemories } from './list-category-memories.js';
import type { CandidateSearchResult, RecallSearch } from './recall-search.js';

describe('global memories among candidates', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    ({ fixture } = await RecallFixture.open());
  });
  afterAll(() => fixture?.close());
  beforeEach(async () => {
    recall = new RecallFixture(fixture, await fixture.addTenant());
  });

  const limits = { limits: new Map<string, number>(), otherLimit: 10, limit: 10 };
  const list = (tx: Tx, search: RecallSearch) => listCategoryMemories(tx, search, limits);

  /** How many statements a read sends, and in how many round trips. */
  async function measure(read: (tx: Tx) => Promise<Pick<CandidateSearchResult, 'candidates'>>) {
    let [statements, trips, isAnswered] = [0, 1, false];
    const { candidates } = await fixture.database.readTenant(recall.tenantId, (tx) =>
      read({
        ...tx,
        query: async <R extends object>(sql: string, parameters: readonly unknown[] = []) => {
          if (isAnswered) trips += 1;
          isAnswered = false;
          statements += 1;
          const rows = await tx.query<R>(sql, parameters);
          isAnswered = true;
          return rows;
        },
      }),
    );
    return { found: candidates.map(({ content }) => content).toSorted(), statements, trips };
  }

  it('cost a tenant without any no statement, and one with some a round trip', async () => {
    await recall.remember('ada', 'Ana likes tea');
    const search = recall.search('ada', 'tea', { queryVector: vectorOf('tea') });
    const find = (tx: Tx) => findCandidates(tx, search);
    const listed = (tx: Tx) => list(tx, search);
    expect(await measure(find)).toEqual({ found: ['Ana likes tea'], statements: 4, trips: 2 });
    expect(await measure(listed)).toEqual({ found: ['Ana likes tea'], statements: 1, trips: 1 });
    await recall.remember(GLOBAL_OWNER, 'Everybody likes tea');
    const both = ['Ana likes tea', 'Everybody likes tea'];
    expect(await measure(find)).toEqual({ found: both, statements: 8, trips: 3 });
    expect(await measure(listed)).toEqual({ found: both, statements: 1, trips: 1 });
    const turns = (tx: Tx) => findCandidates(tx, { ...search, types: ['turn'] });
    expect(await measure(turns)).toMatchObject({ found: [], trips: 1 });
  });

  it('have scores, edges and sources of their own, and a scope', async () => {
    await recall.remember('ada', 'tea at noon', 'tea at night');
    const [global] = await recall.remember(GLOBAL_OWNER, 'tea at noon');
    const candidates = await recall.candidates('ada', 'tea noon', { queryVector: vectorOf('tea') });
    expect(candidates.map(({ scope }) => scope).toSorted()).toEqual(['global', 'user', 'user']);
    const one = candidates.find(({ id }) => id === global)!;
    const own = candidates.find(({ content, scope }) => content === 'tea at noon' && scope === 'user')!;
    expect(one).toMatchObject({ cosine: own.cosine, scope: 'global', relatedStrength: 0, threadId: null });
    for (const { lexical, lexicalCeiling } of [one, own]) {
      expect(lexical).toBeGreaterThan(0);
      expect(lexical).toBeLessThanOrEqual(lexicalCeiling);
    }
  });

  it('are found by their words while their index waits to be rebuilt, and by it afterwards', async () => {
    await recall.remember(GLOBAL_OWNER, 'Everybody likes tea');
    await recall.outdate(GLOBAL_OWNER, 0);
    expect(await recall.find('ada', 'tea')).toMatchObject({
      candidates: [{ content: 'Everybody likes tea' }],
      isUnindexed: false,
    });
    while ((await recall.reindexPage(GLOBAL_OWNER)).state === 'under_way');
    expect(await recall.contents('ada', 'tea')).toEqual(['Everybody likes tea']);
  });

  it('are those of the tenant, and of nobody else', async () => {
    const other = new RecallFixture(fixture, await fixture.addTenant());
    await other.remember(GLOBAL_OWNER, 'Others like tea');
    await other.remember('ben', 'Ben likes tea');
    await recall.remember('ben', 'Ben likes green tea');
    for (const query of ['tea', '']) expect(await recall.contents('ada', query)).toEqual([]);
    expect(await other.contents('ada', 'tea')).toEqual(['Others like tea']);
  });
});
