import fc from 'fast-check';
import { createScored, DAY_MS, DEFAULT_RECALL_WEIGHTS, NOW } from './recall.fixture.js';
import { scoreAnswer } from './score-answer.js';

describe('scoreAnswer', () => {
  it('returns the value that was computed manually', () => {
    const entry = createScored('a', 0.5, { saidAt: NOW - 30 * DAY_MS, importance: 3, relatedStrength: 0.8 });
    // 0.8 · 0.5 + 0.2 · e⁻¹; then half of 5 % and 0.8 of 5 % of the remaining distance to 1
    const timed = 0.4 + 0.2 * Math.exp(-1);
    const importance = 0.05 * 0.5 * (1 - timed);
    const relation = 0.05 * 0.8 * (1 - timed - importance);
    const weighed = scoreAnswer(entry, NOW, DEFAULT_RECALL_WEIGHTS);
    expect(weighed.score).toBeCloseTo(timed + importance + relation, 12);
    expect(weighed.parts).toMatchObject({ relevance: 0.5, recency: expect.closeTo(Math.exp(-1)), rerank: null });
  });

  it('stays within 0 and 1 and rises with relevance, importance, relations and recency', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const days = fc.integer({ min: 0, max: 400 });
    fc.assert(
      fc.property(
        share,
        share,
        days,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (relevance, related, age, importance, isOver) => {
          const score = (change: { relevance?: number; age?: number; importance?: number; related?: number }) => {
            const entry = createScored('a', change.relevance ?? relevance, {
              importance: change.importance ?? importance,
              relatedStrength: change.related ?? related,
              saidAt: NOW - (change.age ?? age) * DAY_MS,
              superseded: isOver ? 'wholly' : 'no',
            });
            return scoreAnswer(entry, NOW, DEFAULT_RECALL_WEIGHTS).score;
          };
          const own = score({});
          expect(own >= 0 && own <= 1).toBe(true);
          expect(score({ relevance: Math.min(1, relevance + 0.1) })).toBeGreaterThanOrEqual(own);
          expect(score({ importance: importance + 1 })).toBeGreaterThanOrEqual(own);
          expect(score({ related: Math.min(1, related + 0.1) })).toBeGreaterThanOrEqual(own);
          expect(score({ age: age + 1 })).toBeLessThanOrEqual(own);
        },
      ),
    );
  });

  it('lowers insights and superseded turns, but not a memory that held at the time of the query', () => {
    const score = (rest: Parameters<typeof createScored>[2]) =>
      scoreAnswer(createScored('a', 0.8, rest), NOW, DEFAULT_RECALL_WEIGHTS).score;
    expect(score({ superseded: 'wholly' })).toBeLessThan(score({}));
    expect(score({ kind: 'memory', superseded: 'wholly' })).toBe(score({ kind: 'memory' }));
    expect(score({ kind: 'memory', type: 'insight' })).toBeLessThan(score({ kind: 'memory' }));
  });
});
