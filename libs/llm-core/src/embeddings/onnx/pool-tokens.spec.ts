import { poolTokens } from './pool-tokens.js';

describe('poolTokens', () => {
  const tokens = { data: Float32Array.from([3, 4, 0, 2, 5, 12]), dims: [1, 3, 2] };

  it.each([
    ['mean', [8 / Math.hypot(8, 18), 18 / Math.hypot(8, 18)]],
    ['cls', [3 / 5, 4 / 5]],
    ['last_token', [5 / 13, 12 / 13]],
  ] as const)('makes a vector at unit length by %s', (pooling, expected) => {
    const vector = poolTokens(tokens, pooling);
    expect([...vector]).toEqual(expected.map((value) => expect.closeTo(value, 6)));
  });

  it('keeps zeros', () => {
    expect([...poolTokens({ data: new Float32Array(4), dims: [1, 2, 2] }, 'mean')]).toEqual([0, 0]);
  });
});
