import { isPipelineFailing } from './readiness.js';

describe('isPipelineFailing', () => {
  it('is true when at least five batches ended and all of them failed', () => {
    expect(isPipelineFailing({ done: 0, failed: 5 })).toBe(true);
  });

  it.each([
    { done: 0, failed: 0, why: 'nothing ended' },
    { done: 0, failed: 4, why: 'too few ended' },
    { done: 1, failed: 100, why: 'one succeeded' },
    { done: 20, failed: 0, why: 'all succeeded' },
  ])('is false when $why', ({ done, failed }) => {
    expect(isPipelineFailing({ done, failed })).toBe(false);
  });
});
