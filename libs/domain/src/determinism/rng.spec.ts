import fc from 'fast-check';
import { SeededRng } from './rng.js';

describe('SeededRng', () => {
  it('returns the pinned sequence of seed 12345', () => {
    const rng = new SeededRng(12345);
    expect([rng.nextFloat(), rng.nextFloat(), rng.nextFloat()]).toEqual([
      0.6551540484651923, 0.30481432331725955, 0.6749606337398291,
    ]);
  });

  it('restarts after a reset', () => {
    const rng = new SeededRng(5);
    const first = [rng.nextFloat(), rng.nextFloat()];
    rng.reset(5);
    expect([rng.nextFloat(), rng.nextFloat()]).toEqual(first);
  });

  it('returns a fixed sequence cyclically until it is removed', () => {
    const rng = new SeededRng(5);
    rng.setSequence([0, 0.5]);
    expect([rng.nextFloat(), rng.nextFloat(), rng.nextFloat()]).toEqual([0, 0.5, 0]);
    rng.reset(9);
    expect(rng.nextFloat()).toBe(0);
    rng.setSequence([]);
    expect(rng.nextFloat()).toBe(new SeededRng(9).nextFloat());
  });

  it('stays inside [0, 1) for every seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const rng = new SeededRng(seed);
        for (let sample = 0; sample < 20; sample += 1) {
          const value = rng.nextFloat();
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(1);
        }
      }),
    );
  });

  it('distributes its values uniformly', () => {
    const rng = new SeededRng(1);
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let sample = 0; sample < 10_000; sample += 1) buckets[Math.floor(rng.nextFloat() * 10)]! += 1;
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
