import { createMemory } from './consolidation-memory.fixture.js';
import { selectCandidates, selectFrequentlyRetrieved } from './select-candidates.js';
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
