import { type CachedState, StateCache } from './state-cache.js';

const stateOf = (bytes: number) => ({ bytes: Buffer.alloc(bytes) }) as unknown as CachedState;

describe('StateCache', () => {
  it('forgets what was used longest ago when it has more than its bytes', () => {
    const cache = new StateCache(10);
    for (const key of ['a', 'b', 'c']) cache.set(key, stateOf(3));
    cache.get('a');
    cache.set('d', stateOf(4));
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd']);
  });

  it('counts a replaced state once, and does not keep one that is too large', () => {
    const cache = new StateCache(10);
    for (let round = 0; round < 5; round += 1) cache.set('a', stateOf(6));
    cache.set('b', stateOf(4));
    expect(cache.get('a')).toBeDefined();
    cache.set('a', stateOf(11));
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')).toBeDefined();
  });

  it('keeps nothing with no bytes', () => {
    const cache = new StateCache(0);
    cache.set('a', stateOf(1));
    expect(cache.get('a')).toBeUndefined();
  });
});
