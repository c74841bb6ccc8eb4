import { summarizeOffered } from './offer.ts';

const every = (ms: number, count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index * ms);

describe('work that was offered at a rate', () => {
  it('is carried as fast as it came, when each takes the same time', () => {
    expect(summarizeOffered({ due: every(10, 101), done: every(10, 101, 250) })).toEqual({
      carried: 100,
      p50: 250,
      p95: 250,
    });
  });

  it('is carried at the rate of the process, and takes longer and longer, when that is slower', () => {
    const { carried, p50, p95 } = summarizeOffered({ due: every(10, 101), done: every(20, 101) });
    expect(carried).toBe(50);
    expect(p95).toBeGreaterThan(p50 * 1.8);
  });

  it('is compared in order, whichever of it was done first', () => {
    expect(summarizeOffered({ due: [0, 10, 20], done: [25, 5, 15] })).toMatchObject({ p50: 5, p95: 5 });
  });

  it('has to be done', () => {
    expect(() => summarizeOffered({ due: [0, 1], done: [1] })).toThrow('Only 1 of 2');
  });
});
