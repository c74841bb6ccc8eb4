import { type EvictableRow, planEviction } from './plan-eviction.js';

type Fact = Extract<EvictableRow, { type: 'fact' }>;

const turn = (seq: number): EvictableRow => ({ type: 'turn', id: `t${seq}`, seq });
const fact = (createdAt: number, exempt: Partial<Fact> = {}): EvictableRow => {
  const plain = { importance: 3, pinned: false, consented: false, hasSuccessor: false };
  return { type: 'fact', id: `f${createdAt}`, createdAt, ...plain, ...exempt };
};
const evict = (rows: readonly EvictableRow[], maxEntries: number, summarizedThrough: number | null = 1_000) =>
  planEviction({ rows, maxEntries, summarizedThrough });

const NOTHING = { turns: [], facts: [], waiting: 0, excess: 0 };

describe('planEviction', () => {
  it('leaves a conversation within the limit alone', () => {
    expect(evict([turn(1), turn(2), fact(1)], 3)).toEqual(NOTHING);
    expect(evict([], 0)).toEqual(NOTHING);
  });

  it('takes a tenth more than it must, so that the next entries evict nothing', () => {
    const turns = Array.from({ length: 551 }, (_, index) => turn(index));
    const first = evict(turns.slice(0, 501), 500);
    expect(first).toEqual({ ...NOTHING, turns: turns.slice(0, 51).map(({ id }) => id) });
    const rest = turns.slice(51);
    for (let added = 1; added <= 49; added += 1) expect(evict(rest.slice(0, 450 + added), 500)).toEqual(NOTHING);
    expect(evict([...rest, fact(1)], 500).turns).toHaveLength(51);
  });

  it('takes turns first, oldest first, whatever the age of facts', () => {
    expect(evict([fact(0), turn(3), turn(1), turn(2)], 2)).toEqual({ ...NOTHING, turns: ['t1', 't2'] });
  });

  it('takes facts by age when no turn is left, equal ones by id', () => {
    const rows = [fact(9), { ...fact(5), id: 'b' }, { ...fact(5), id: 'a' }, turn(1)];
    expect(evict(rows, 1)).toEqual({ ...NOTHING, turns: ['t1'], facts: ['a', 'b'] });
  });

  it('lets turns wait for their summary, and takes no fact in their place', () => {
    const rows = [turn(1), turn(2), turn(3), fact(1), fact(2)];
    expect(evict(rows, 2, 1)).toEqual({ ...NOTHING, turns: ['t1'], waiting: 2 });
    expect(evict(rows, 2, null)).toEqual({ ...NOTHING, waiting: 3 });
    expect(evict(rows, 1, 2)).toEqual({ ...NOTHING, turns: ['t1', 't2'], waiting: 1, facts: ['f1'] });
  });

  it.each<[string, Partial<Fact>]>([
    ['pinned', { pinned: true }],
    ['consented', { consented: true }],
    ['important', { importance: 4 }],
  ])('exempts what is %s, and says how far it stays above the limit', (_title, exempt) => {
    expect(evict([fact(1, exempt), fact(2), fact(3, exempt)], 1)).toEqual({ ...NOTHING, facts: ['f2'], excess: 1 });
  });

  it('neither counts nor evicts what has a successor', () => {
    const past = Array.from({ length: 600 }, (_, index) => fact(index, { hasSuccessor: true }));
    expect(evict([...past, turn(1), fact(700)], 2)).toEqual(NOTHING);
    expect(evict([...past, turn(1), fact(700), fact(800)], 1)).toEqual({ ...NOTHING, turns: ['t1'], facts: ['f700'] });
  });

  it('is the same for rows in any order, and done after one run', () => {
    const rows = [
      ...Array.from({ length: 40 }, (_, index) => turn(index)),
      fact(7),
      fact(3),
      fact(5, { pinned: true }),
    ];
    const plan = evict(rows, 10, 20);
    expect(evict(rows.toReversed(), 10, 20)).toEqual(plan);
    const gone = new Set([...plan.turns, ...plan.facts]);
    const rest = rows.filter(({ id }) => !gone.has(id));
    expect(evict(rest, 10, 20)).toEqual({ ...plan, turns: [], facts: [] });
  });
});
