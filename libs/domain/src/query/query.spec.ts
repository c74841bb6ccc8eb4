import fc from 'fast-check';
import { fitBudget } from './fit-budget.js';
import { calibrateCosine, calibrateLexical, fuseRelevance } from './relevance.js';
import { renderBullet } from './render-bullet.js';
import { inverseDocumentFrequency } from '../lexical/inverse-document-frequency.js';
import { scoreBm25 } from './score-bm25.js';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const count = fc.integer({ min: 1, max: 1000 });
const corpus = { documentCount: 1000, averageLength: 10 };

describe('scoreBm25', () => {
  it('gives the value computed by hand', () => {
    // idf = ln(1 + 990.5 / 10.5); 2·2.2 / (2 + 1.2·(0.25 + 0.75·0.5)) = 1.6
    expect(scoreBm25([{ frequency: 2, documentFrequency: 10 }], 5, corpus)).toBeCloseTo(
      Math.log(1 + 990.5 / 10.5) * 1.6,
      12,
    );
  });

  it('scores the idf for one occurrence in a document of average length', () => {
    expect(scoreBm25([{ frequency: 1, documentFrequency: 10 }], 10, corpus)).toBeCloseTo(
      inverseDocumentFrequency(10, 1000),
      12,
    );
  });

  it('rises with frequency and rarity, falls with length, and is never negative', () => {
    fc.assert(
      fc.property(count, count, count, (frequency, documentFrequency, length) => {
        const score = scoreBm25([{ frequency, documentFrequency }], length, corpus);
        expect(score).toBeGreaterThan(0);
        expect(scoreBm25([{ frequency: frequency + 1, documentFrequency }], length, corpus)).toBeGreaterThanOrEqual(
          score,
        );
        expect(
          scoreBm25([{ frequency, documentFrequency: documentFrequency + 1 }], length, corpus),
        ).toBeLessThanOrEqual(score);
        expect(scoreBm25([{ frequency, documentFrequency }], length + 1, corpus)).toBeLessThanOrEqual(score);
      }),
    );
  });

  it('stays finite for an empty or lagging corpus', () => {
    expect(
      scoreBm25([{ frequency: 1, documentFrequency: 7 }], 3, { documentCount: 2, averageLength: 0 }),
    ).toBeGreaterThan(0);
    expect(scoreBm25([], 3, corpus)).toBe(0);
    expect(scoreBm25([{ frequency: 0, documentFrequency: 7 }], 3, corpus)).toBe(0);
  });
});

describe('calibration', () => {
  it('maps no score to 0 and stays below 1', () => {
    expect(calibrateLexical(0, 5)).toBe(0);
    expect(calibrateLexical(3, 0)).toBe(0);
    expect(calibrateLexical(5, 5)).toBeCloseTo(0.8647, 4);
  });

  it('is monotone in the score and free of the query\u2019s scale', () => {
    fc.assert(
      fc.property(count, count, count, (score, more, weight) => {
        const relevance = calibrateLexical(score, weight);
        expect(relevance >= 0 && relevance <= 1).toBe(true);
        expect(calibrateLexical(score + more, weight)).toBeGreaterThanOrEqual(relevance);
        expect(calibrateLexical(score * 3, weight * 3)).toBeCloseTo(relevance, 12);
      }),
    );
  });

  it('stretches a cosine between the marks of its model', () => {
    const profile = { unrelated: 0.2, same: 0.7 };
    expect([-1, 0.2, 0.45, 0.7, 1].map((cosine) => calibrateCosine(cosine, profile))).toEqual([
      0,
      0,
      expect.closeTo(0.5),
      1,
      1,
    ]);
    expect(calibrateCosine(Number.NaN, profile)).toBe(0);
  });
});

describe('fuseRelevance', () => {
  it('lies between the larger signal and the probabilistic or, whichever comes first', () => {
    fc.assert(
      fc.property(unit, unit, (v, l) => {
        const fused = fuseRelevance(v, l);
        expect(fused).toBeGreaterThanOrEqual(Math.max(v, l));
        expect(fused).toBeLessThanOrEqual(1 - (1 - v) * (1 - l) + 1e-12);
        expect(fused).toBeLessThanOrEqual(1);
        expect(fuseRelevance(l, v)).toBe(fused);
      }),
    );
  });

  it('never falls when a signal rises', () => {
    fc.assert(
      fc.property(unit, unit, unit, (a, b, other) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(fuseRelevance(high, other)).toBeGreaterThanOrEqual(fuseRelevance(low, other) - 1e-12);
      }),
    );
  });

  it('is the other signal when one is missing', () => {
    expect(fuseRelevance(undefined, 0.4)).toBe(0.4);
    expect(fuseRelevance(0.4, undefined)).toBe(0.4);
    expect(fuseRelevance(undefined, undefined)).toBe(0);
    expect(fuseRelevance(Number.NaN, 2)).toBe(1);
  });
});

describe('renderBullet', () => {
  it.each([
    [{ category: 'tasks', text: 'Ship v1.', saidAt: '2023-05-08T23:59:59.999Z' }, '[tasks] Ship v1. (8 May 2023)'],
    [{ category: 'a', text: 'b', validFrom: Date.UTC(2024, 11, 31), saidAt: 0 }, '[a] b (31 December 2024)'],
    [{ category: 'a', text: 'b (8 May 2023)', saidAt: new Date(Date.UTC(2023, 4, 8)) }, '[a] b (8 May 2023)'],
    [{ category: 'a', text: ' two\nlines ', saidAt: null }, '[a] two lines'],
    [{ category: 'a', text: 'b', saidAt: 'no date' }, '[a] b'],
  ])('renders %j', (input, bullet) => {
    expect(renderBullet(input)).toBe(bullet);
  });
});

describe('fitBudget', () => {
  const countTokens = (text: string) => text.length;

  it('passes over what is too long and keeps the order', () => {
    const items = ['aaa', 'bbbbbb', 'cc'].map((text) => ({ text }));
    expect(fitBudget(items, 5, countTokens)).toEqual({ items: [{ text: 'aaa' }, { text: 'cc' }], tokens: 5 });
  });

  it('never goes over the budget and leaves out nothing that fits', () => {
    fc.assert(
      fc.property(fc.array(fc.string().map((text) => ({ text }))), fc.nat({ max: 40 }), (items, budget) => {
        const { items: kept, tokens } = fitBudget(items, budget, countTokens);
        expect(tokens).toBe(kept.reduce((sum, { text }) => sum + text.length, 0));
        expect(tokens).toBeLessThanOrEqual(budget);
        for (const item of items) if (!kept.includes(item)) expect(tokens + item.text.length).toBeGreaterThan(budget);
      }),
    );
  });
});
