import type { SearchCandidate } from '@annals/storage';
import fc from 'fast-check';
import { rankCandidates } from './rank-candidates.js';

const profile = { unrelated: 0.1, same: 0.6, bands: { auto: 0.95, check: 0.8, fallback: 0.6, link: 0.4 } };

const candidate = (id: string, rest: Partial<SearchCandidate> = {}): SearchCandidate => ({
  id,
  category: 'profile',
  type: 'semantic',
  content: id,
  importance: 3,
  confidence: 1,
  pinned: false,
  validFrom: 0,
  validTo: null,
  recordedAt: 0,
  cosine: null,
  bm25: 0,
  ...rest,
});

describe('rankCandidates', () => {
  const rank = (candidates: readonly SearchCandidate[], options: { threshold?: number; topK?: number } = {}) =>
    rankCandidates({ candidates, bm25Ceiling: 4.4 }, { profile, threshold: 0, topK: 10, ...options });

  it('puts what both signals speak for before what one does', () => {
    const ranked = rank([
      candidate('words', { bm25: 1 }),
      candidate('both', { bm25: 1, cosine: 0.4 }),
      candidate('vector', { cosine: 0.4 }),
      candidate('none'),
    ]);
    expect(ranked.map(({ candidate: { id } }) => id)).toEqual(['both', 'words', 'vector', 'none']);
  });

  it('drops what is below the threshold and keeps the best', () => {
    const some = [candidate('a', { cosine: 0.6 }), candidate('b', { cosine: 0.5 }), candidate('c', { cosine: 0.2 })];
    expect(rank(some, { threshold: 0.8 }).map(({ candidate: { id } }) => id)).toEqual(['a', 'b']);
    expect(rank(some, { topK: 1 }).map(({ candidate: { id } }) => id)).toEqual(['a']);
  });

  it('orders equal relevance by importance, then time, then id', () => {
    const ranked = rank([
      candidate('b'),
      candidate('a'),
      candidate('new', { validFrom: 5 }),
      candidate('vital', { importance: 5 }),
    ]);
    expect(ranked.map(({ candidate: { id } }) => id)).toEqual(['vital', 'new', 'a', 'b']);
  });

  it('does not depend on the order of the candidates, and stays within 0 and 1', () => {
    const arbitrary = fc.record({
      id: fc.uuid(),
      cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: null }),
      bm25: fc.double({ min: 0, max: 50, noNaN: true }),
      importance: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(arbitrary, { selector: ({ id }) => id }), (parts) => {
        const candidates = parts.map(({ id, ...rest }) => candidate(id, rest));
        const forth = rank(candidates);
        expect(rank(candidates.toReversed())).toEqual(forth);
        for (const { score } of forth) expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });
});
