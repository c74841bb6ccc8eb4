import { placeLocks } from './place-locks.js';

const places = (...keys: number[]) => keys.map((n) => ({ namespace: ['a'], key: `k${n}` }));
const TENANT = '00000000-0000-4000-8000-000000000001';

describe('the locks of places', () => {
  it('are taken in one order, whatever the order of the places, each once', () => {
    const locks = placeLocks(TENANT, 'ada', places(1, 2, 3, 4, 5));
    expect(locks).toEqual(placeLocks(TENANT, 'ada', places(5, 3, 1, 2, 4, 4)));
    expect(locks).toEqual([...new Set(locks)].toSorted((a, b) => a - b));
  });

  it('are few of one user, and others of another user', () => {
    const all = placeLocks(TENANT, 'ada', places(...Array.from({ length: 1_000 }, (_, n) => n)));
    expect(all).toHaveLength(32);
    for (const lock of all) expect(Math.abs(lock)).toBeLessThanOrEqual(2 ** 31);
    expect(placeLocks(TENANT, 'bob', places(1))).not.toEqual(placeLocks(TENANT, 'ada', places(1)));
  });
});
