import { chainHash, contentHmac, GENESIS_HASH } from './chain.js';

describe('the hash of a history row', () => {
  it('is pinned for a known row', () => {
    expect(chainHash(GENESIS_HASH, { b: 1, a: null })).toBe(
      '5949590672745d07d4ab1ed2cbd059b19f15e339189ed534162dc6926ce16f0b',
    );
  });

  it('does not depend on the order in which fields are written, nor on undefined ones', () => {
    expect(chainHash(GENESIS_HASH, { a: 1, b: [2, { c: 'x' }] })).toBe(
      chainHash(GENESIS_HASH, { b: [2, { c: 'x' }], a: 1, z: undefined }),
    );
  });

  it('covers an HMAC that differs for another salt or content', () => {
    const hmacs = [contentHmac('s1', 'a'), contentHmac('s2', 'a'), contentHmac('s1', 'b')];
    expect(new Set(hmacs).size).toBe(3);
    expect(contentHmac(new TextEncoder().encode('s1'), 'a')).toBe(hmacs[0]);
  });
});
