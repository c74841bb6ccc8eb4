import { shouldStoreSnapshot } from './store-policy.js';

describe('when a version is stored whole', () => {
  it('is when reading would cost more than twice the whole state', () => {
    const since = { versions: 3, wholeBytes: 30_000, deltaBytes: 29_000 };
    expect(shouldStoreSnapshot(since, 1_000)).toBe(false);
    expect(shouldStoreSnapshot(since, 1_001)).toBe(true);
  });

  it('is never for the sake of a few bytes, and always after 64 versions', () => {
    expect(shouldStoreSnapshot({ versions: 9, wholeBytes: 100, deltaBytes: 2_000 }, 500)).toBe(false);
    expect(shouldStoreSnapshot({ versions: 64, wholeBytes: 100, deltaBytes: 1 }, 1)).toBe(true);
  });
});
