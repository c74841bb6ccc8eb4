import { ManualClock } from '@annals/domain';
import { KeyCache } from './key-cache.js';
import type { Principal } from './principal.js';

const principal = (keyId: string, tenantId = 't'): Principal => ({
  keyId,
  tenantId,
  scopes: ['query'],
  operator: false,
  bindings: { agentId: null, userId: null, categories: null },
  expiresAt: null,
});

describe('KeyCache', () => {
  it('caches valid and unknown keys for five seconds', async () => {
    const clock = new ManualClock(1_000);
    const cache = new KeyCache(clock);
    await cache.load('good', async () => principal('k'));
    await cache.load('bad', async () => null);
    clock.advance(4_999);
    expect(cache.find('good')?.keyId).toBe('k');
    expect(cache.find('bad')).toBeNull();
    clock.advance(2);
    expect(cache.find('good')).toBeUndefined();
    expect(cache.find('bad')).toBeUndefined();
    expect(cache.isKnownGood('good')).toBe(true);
    expect(cache.isKnownGood('bad')).toBe(false);
  });

  it('removes a key or all keys of a tenant immediately', async () => {
    const cache = new KeyCache(new ManualClock(1_000));
    await cache.load('a', async () => principal('ka', 't1'));
    await cache.load('b', async () => principal('kb', 't1'));
    await cache.load('c', async () => principal('kc', 't2'));
    cache.forgetKey('ka');
    expect([cache.find('a'), cache.find('b')?.keyId]).toEqual([undefined, 'kb']);
    cache.forgetTenant('t1');
    expect([cache.find('b'), cache.find('c')?.keyId]).toEqual([undefined, 'kc']);
  });

  it('does not cache a look-up during which a key was revoked', async () => {
    const cache = new KeyCache(new ManualClock(1_000));
    let answer!: (found: Principal) => void;
    const loading = cache.load('a', () => new Promise((resolve) => (answer = resolve)));
    cache.forgetKey('ka');
    answer(principal('ka'));
    await loading;
    expect(cache.find('a')).toBeUndefined();
  });
});
