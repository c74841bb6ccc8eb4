import { createMemory } from './consolidation-memory.fixture.js';
import { planReranks } from './plan-rerank.js';
import { type ConsolidationMemory, DAY_MS } from './types.js';

const NOW = Date.UTC(2026, 4, 20);
const OLD = { createdAt: NOW - 70 * DAY_MS };
/** The change of one memory among twenty that nobody uses. */
const rerank = (fields: Partial<ConsolidationMemory>) => {
  const others = Array.from({ length: 20 }, (_, index) => createMemory(`x${index}`, { importance: 3, pinned: true }));
  return planReranks([...others, createMemory('m', fields)], NOW).map(({ from, to, reason }) => [from, to, reason]);
};

describe('planReranks', () => {
  it('raises what was stated in three threads, or is frequently retrieved, by one step', () => {
    expect(rerank({ threads: 3 })).toEqual([[2, 3, 'stated_in_threads']]);
    expect(rerank({ accesses: 4 })).toEqual([[2, 3, 'retrieved']]);
    expect(rerank({ accesses: 4, importance: 5 })).toEqual([]);
    expect(rerank({ threads: 2, accesses: 1 })).toEqual([]);
  });

  it('raises the same three threads once', () => {
    const before = { threads: 3, rerankedAt: NOW - 20 * DAY_MS };
    expect(rerank({ ...before, saidAt: NOW - 30 * DAY_MS })).toEqual([]);
    expect(rerank({ ...before, saidAt: NOW - 10 * DAY_MS })).toEqual([[2, 3, 'stated_in_threads']]);
  });

  it('lowers what nobody retrieved in 60 days', () => {
    expect(rerank({ ...OLD, importance: 5 })).toEqual([[5, 4, 'not_retrieved']]);
    expect(rerank({ ...OLD, importance: 2 })).toEqual([[2, 1, 'not_retrieved']]);
    expect(rerank({ ...OLD, importance: 5, lastAccessedAt: NOW - 59 * DAY_MS })).toEqual([]);
    expect(rerank({ ...OLD, importance: 5, saidAt: NOW - 59 * DAY_MS })).toEqual([]);
    expect(rerank({ ...OLD, importance: 1 })).toEqual([]);
  });

  it('never makes deletable what is not', () => {
    expect(rerank({ ...OLD, importance: 3 })).toEqual([]);
  });

  it('waits 14 days, and leaves pinned memories and those with consent alone', () => {
    expect(rerank({ threads: 3, rerankedAt: NOW - 13 * DAY_MS })).toEqual([]);
    expect(rerank({ ...OLD, importance: 5, pinned: true })).toEqual([]);
    expect(rerank({ threads: 3, isConsented: true })).toEqual([]);
  });
});
