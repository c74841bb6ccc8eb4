import { HELD_OUT_PAIRS, PAIRS } from './pairs.fixture.js';

const all = [...PAIRS, ...HELD_OUT_PAIRS];

describe('the corpus of pairs', () => {
  it('has 300 pairs and 60 of each kind in ten domains, a third of them held out', () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(new Set(all.map(({ domain }) => domain)).size).toBe(10);
    for (const kind of ['same', 'topic', 'changed', 'negation', 'other']) {
      expect(all.filter((pair) => pair.kind === kind).length).toBeGreaterThanOrEqual(60);
    }
    expect(HELD_OUT_PAIRS.length * 3).toBeGreaterThanOrEqual(all.length * 0.95);
  });

  it('has merged texts that contain what they must', () => {
    for (const { merged, mustContain } of all.filter(({ kind }) => kind === 'same')) {
      expect(mustContain.filter((words) => !merged!.includes(words))).toEqual([]);
    }
  });
});
