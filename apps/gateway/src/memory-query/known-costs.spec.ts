import { UNKNOWN_COST } from '@annals/domain';
import { KnownCosts } from './known-costs.js';

describe('KnownCosts', () => {
  it('returns what was filled in under the same key, and nothing of another', () => {
    const costs = new KnownCosts();
    costs.of('a', 3)[1] = 12;
    expect([...costs.of('a', 3)]).toEqual([UNKNOWN_COST, 12, UNKNOWN_COST]);
    expect([...costs.of('b', 1)]).toEqual([UNKNOWN_COST]);
  });

  it('keeps no text of thousands of sentences, and drops the oldest when it is full', () => {
    const costs = new KnownCosts();
    costs.of('huge', 5_000)[0] = 1;
    expect(costs.of('huge', 5_000)[0]).toBe(UNKNOWN_COST);
    costs.of('first', 3_000)[0] = 1;
    for (let index = 0; index < 2_500; index += 1) costs.of(`${index}`, 3_000)[0] = index;
    expect(costs.of('first', 3_000)[0]).toBe(UNKNOWN_COST);
    expect(costs.of('2499', 3_000)[0]).toBe(2_499);
  });
});
