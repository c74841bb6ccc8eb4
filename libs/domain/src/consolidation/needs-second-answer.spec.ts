import { createMemory } from './consolidation-memory.fixture.js';
import { needsSecondAnswer } from './needs-second-answer.js';
import type { PairDecision } from './plan-run.js';

const decide = (a: string, b: string, by: PairDecision['by'] = 'model'): PairDecision => ({
  pair: {
    a: createMemory('a', { content: a }),
    b: createMemory('b', { content: b }),
    score: 0.6,
    reason: 'similar',
    fingerprint: 'ab',
  },
  by,
  verdict: 'merge',
  content: a,
});

describe('a merge that a model proposes', () => {
  it('needs a second answer when one of the two says more', () => {
    expect(needsSecondAnswer(decide('The user plays chess on Sundays.', 'The user plays chess with Ana.'))).toBe(true);
    expect(needsSecondAnswer(decide('The user sleeps badly.', 'The user sleeps badly before exams.'))).toBe(true);
  });

  it('needs none when both say the same, when words decided, or when nothing is merged', () => {
    expect(needsSecondAnswer(decide('The user plays chess at home.', 'At home, the user plays chess.'))).toBe(false);
    const [a, b] = ['The user plays chess on Sundays.', 'The user plays chess with Ana.'];
    expect(needsSecondAnswer(decide(a, b, 'words'))).toBe(false);
    expect(needsSecondAnswer({ ...decide(a, b), verdict: 'link' })).toBe(false);
  });
});
