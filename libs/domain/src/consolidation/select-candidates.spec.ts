import { createMemory } from './consolidation-memory.fixture.js';
import { fingerprintMemory } from './fingerprint-pair.js';
import { selectCandidates, selectFrequentlyRetrieved, takeCandidates } from './select-candidates.js';
import { DAY_MS } from './types.js';

const NOW = Date.UTC(2026, 4, 20);

describe('selectCandidates', () => {
  it('selects recent, important and frequently retrieved memories', () => {
    const old = { createdAt: NOW - 80 * DAY_MS, updatedAt: NOW - 80 * DAY_MS, importance: 2 };
    const memories = [
      createMemory('new', { createdAt: NOW - 2 * DAY_MS }),
      createMemory('changed', { ...old, updatedAt: NOW - 3 * DAY_MS }),
      createMemory('important', { ...old, importance: 3 }),
      createMemory('read', { ...old, accesses: 5 }),
      createMemory('old', old),
    ];
    expect([...selectCandidates(memories, NOW)]).toEqual([
      ['new', 'recent'],
      ['changed', 'recent'],
      ['important', 'important'],
      ['read', 'retrieved'],
    ]);
  });

  it.each([{ pinned: true }, { isConsented: true }, { type: 'insight' as const }])('leaves %j alone', (fixed) => {
    expect(selectCandidates([createMemory('m', { createdAt: NOW, ...fixed })], NOW).size).toBe(0);
  });
});

describe('takeCandidates', () => {
  const known: ReadonlySet<string> = new Set();
  const create = (count: number, days: number, prefix: string) =>
    Array.from({ length: count }, (_, index) =>
      createMemory(`${prefix}${String(index).padStart(4, '0')}`, { createdAt: NOW - days * DAY_MS, importance: 3 }),
    );

  it('leaves out what is too old to be in a pair, however much of it there is', () => {
    const memories = [...create(5_000, 120, 'old'), ...create(10, 1, 'new')];
    const { taken, postponed } = takeCandidates(memories, { now: NOW, known });
    expect(taken).toEqual(create(10, 1, 'new'));
    expect(postponed).toBe(0);
  });

  it.each(['createdAt', 'updatedAt', 'saidAt'] as const)('takes what is 90 days old by %s, and nothing older', (by) => {
    const [old] = create(1, 120, 'old');
    const take = (at: number) => takeCandidates([{ ...old!, [by]: at }], { now: NOW, known }).taken;
    expect(take(NOW - 90 * DAY_MS)).toHaveLength(1);
    expect(take(NOW - 90 * DAY_MS - 1)).toEqual([]);
  });

  it('takes 500 at most, recent ones first, and goes on with those that were not compared', () => {
    const memories = [...create(400, 50, 'a'), ...create(200, 10, 'b')];
    const first = takeCandidates(memories, { now: NOW, known });
    expect([first.taken.length, first.postponed]).toEqual([500, 100]);
    expect(first.taken.slice(0, 200)).toEqual(create(200, 10, 'b'));
    const compared = new Set(first.taken.map(fingerprintMemory));
    const second = takeCandidates(memories, { now: NOW, known: compared });
    expect(second).toEqual({ taken: memories.slice(300, 400), postponed: 0 });
    const changed = { ...first.taken[0]!, revision: 2 };
    expect(takeCandidates([changed], { now: NOW, known: compared }).taken).toEqual([changed]);
  });
});

describe('selectFrequentlyRetrieved', () => {
  it('selects the top tenth by retrievals, ties by id', () => {
    const memories = Array.from({ length: 20 }, (_, index) =>
      createMemory(`m${String(index).padStart(2, '0')}`, { accesses: index < 4 ? 7 : 1 }),
    );
    expect([...selectFrequentlyRetrieved(memories.toReversed())]).toEqual(['m00', 'm01']);
  });

  it('needs two retrievals', () => {
    expect(selectFrequentlyRetrieved([createMemory('m', { accesses: 1 })]).size).toBe(0);
    expect(selectFrequentlyRetrieved([createMemory('m', { accesses: 2 })]).size).toBe(1);
  });
});
