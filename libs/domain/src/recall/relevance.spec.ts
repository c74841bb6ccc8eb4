import fc from 'fast-check';
import { createCandidate, createScored } from './recall.fixture.js';
import { applyRerank, calibrateCosine, calibrateLexical, fuseRelevance, scoreRelevance } from './score-relevance.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const count = fc.integer({ min: 1, max: 1_000 });

describe('calibrateLexical', () => {
  it('maps no score to 0 and stays below 1', () => {
    expect(calibrateLexical(0, 5)).toBe(0);
    expect(calibrateLexical(3, 0)).toBe(0);
    expect(calibrateLexical(5, 10)).toBeCloseTo(1 - Math.exp(-2), 12);
  });

  it('is monotone in the score and independent of the query’s scale', () => {
    fc.assert(
      fc.property(count, count, count, (score, more, ceiling) => {
        const relevance = calibrateLexical(score, ceiling);
        expect(relevance >= 0 && relevance <= 1).toBe(true);
        expect(calibrateLexical(score + more, ceiling)).toBeGreaterThanOrEqual(relevance);
        expect(calibrateLexical(score * 3, ceiling * 3)).toBeCloseTo(relevance, 12);
      }),
    );
  });
});

describe('calibrateCosine', () => {
  it('scales a cosine linearly between the profile’s unrelated and same, times trust', () => {
    const profile = { unrelated: 0.2, same: 0.7 };
    expect([-1, 0.2, 0.45, 0.7, 1].map((cosine) => calibrateCosine(cosine, profile))).toEqual([
      0,
      0,
      expect.closeTo(0.5),
      1,
      1,
    ]);
    expect(calibrateCosine(Number.NaN, profile)).toBe(0);
    expect(calibrateCosine(0.45, { ...profile, trust: 0.5 })).toBeCloseTo(0.25);
  });
});

describe('fuseRelevance', () => {
  it('is between the larger signal and the probabilistic or, in either order', () => {
    fc.assert(
      fc.property(share, share, (v, l) => {
        const fused = fuseRelevance(v, l);
        expect(fused).toBeGreaterThanOrEqual(Math.max(v, l));
        expect(fused).toBeLessThanOrEqual(Math.min(1, 1 - (1 - v) * (1 - l) + 1e-12));
        expect(fuseRelevance(l, v)).toBe(fused);
      }),
    );
  });

  it('is unchanged by a missing signal', () => {
    expect(fuseRelevance(0, 0.4)).toBe(0.4);
    expect(fuseRelevance(Number.NaN, 2)).toBe(1);
  });
});

describe('scoreRelevance', () => {
  it('combines vector and lexical scores', () => {
    const candidate = createCandidate('a', { cosine: 0.45, lexical: 5, lexicalCeiling: 10 });
    const [scored] = scoreRelevance([candidate], { profile: { unrelated: 0.2, same: 0.7 } });
    // 0.8647 + 0.5 · 0.1353 · 0.5
    expect(scored).toMatchObject({ vector: expect.closeTo(0.5), lexical: expect.closeTo(0.8647, 4), rerank: null });
    expect(scored!.relevance).toBeCloseTo(0.8985, 4);
  });
});

describe('applyRerank', () => {
  it('replaces the relevance by the reranker’s score, on its own scale', () => {
    const scored = [createScored('a', 0.9), createScored('b', 0.1), createScored('c', 0.5)];
    const { scored: kept, dropped } = applyRerank(
      scored,
      new Map([
        ['a', 0.34],
        ['b', 0.35],
      ]),
      { threshold: 0.35 },
    );
    expect(kept.map(({ candidate: { id }, relevance, rerank }) => [id, relevance, rerank])).toEqual([
      ['b', 0.35, 0.35],
    ]);
    expect(dropped.map(({ id, why }) => [id, why])).toEqual([
      ['a', 'rerank'],
      ['c', 'rerank'],
    ]);
  });
});
