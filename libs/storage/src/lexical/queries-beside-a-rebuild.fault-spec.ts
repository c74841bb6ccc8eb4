import type { Row, Tx } from '../database/transaction.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { findCandidates } from '../query/find-candidates.js';

describe('a query beside a rebuild in steps', () => {
  let recall: RecallFixture;
  beforeAll(async () => {
    recall = await RecallFixture.open();
  });
  afterAll(() => recall.fixture.close());

  it('finds what it would have found, though a step gives other numbers between two of its statements', async () => {
    await recall.remember('ada', 'Ana plays the cello', 'Ana plays chess');
    await recall.postAndIndexTurns('ada', 't', 'Who plays the cello?', 'Ana does');
    const search = recall.search('ada', 'plays cello');
    const before = await recall.contents('ada', 'plays cello');
    expect(before).toHaveLength(4);
    await recall.outdate('ada');
    let steps = 0;
    const beside = (tx: Tx): Tx =>
      Object.assign(Object.create(tx) as Tx, {
        async query<R extends object = Row>(sql: string, parameters?: readonly unknown[]): Promise<R[]> {
          const rows = await tx.query<R>(sql, parameters);
          if (!sql.includes('FROM lexical_postings')) return rows;
          steps += 1;
          expect(await recall.reindexPage('ada')).toMatchObject({ state: 'finished' });
          return rows;
        },
      });
    const { database } = recall.fixture;
    const { candidates } = await database.readTenant(recall.tenantId, (tx) => findCandidates(beside(tx), search));
    expect(steps).toBe(1);
    expect(candidates.map(({ content }) => content).toSorted()).toEqual(before);
    expect(await recall.contents('ada', 'plays cello')).toEqual(before);
  });
});
