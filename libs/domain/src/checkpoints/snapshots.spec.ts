import { shouldStoreSnapshot } from './snapshots.js';

describe('shouldStoreSnapshot', () => {
  it('is true when a read would cost more than twice the snapshot', () => {
    const since = { versions: 3, wholeBytes: 30_000, deltaBytes: 29_000 };
    expect(shouldStoreSnapshot(since, 1_000)).toBe(false);
    expect(shouldStoreSnapshot(since, 1_001)).toBe(true);
  });

  it('is false for small deltas, and always true after 64 versions', () => {
    expect(shouldStoreSnapshot({ versions: 9, wholeBytes: 100, deltaBytes: 2_000 }, 500)).toBe(false);
    expect(shouldStoreSnapshot({ versions: 64, wholeBytes: 100, deltaBytes: 1 }, 1)).toBe(true);
  });
});
