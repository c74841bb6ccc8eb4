import fc from 'fast-check';
import { ManualClock } from './clock.js';
import { SeededRng } from './rng.js';
import { SystemClock } from './system.js';
import { UuidV7Generator } from './uuid-v7-generator.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function readTimestamp(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

describe('UuidV7Generator', () => {
  it('encodes the injected time in a version 7 id', () => {
    const id = new UuidV7Generator(new ManualClock(1_767_225_600_123), new SeededRng(1)).next();
    expect(id).toMatch(UUID_V7);
    expect(readTimestamp(id)).toBe(1_767_225_600_123);
  });

  it('returns the same ids for the same clock and seed', () => {
    const make = () => new UuidV7Generator(new ManualClock(1000), new SeededRng(7));
    const [a, b] = [make(), make()];
    expect([a.next(), a.next()]).toEqual([b.next(), b.next()]);
  });

  it('returns different ids in two generators with the same time but different randomness', () => {
    const clock = new ManualClock(1000);
    expect(new UuidV7Generator(clock).next()).not.toBe(new UuidV7Generator(clock).next());
  });

  it('takes the randomness from the host when none is injected', () => {
    const generator = new UuidV7Generator(new SystemClock());
    const ids = Array.from({ length: 1000 }, () => generator.next());
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
  });

  it('stays strictly increasing however the clock moves', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2 }), (seed, steps) => {
        const clock = new ManualClock(1_700_000_000_000);
        const generator = new UuidV7Generator(clock, new SeededRng(seed));
        const ids = steps.map((step) => {
          clock.advance(step);
          return generator.next();
        });
        expect(ids).toEqual([...new Set(ids)].toSorted());
      }),
    );
  });

  it('increments the timestamp when the sequence of one millisecond overflows', () => {
    const generator = new UuidV7Generator(new ManualClock(1000), new SeededRng(1));
    const first = generator.next();
    Object.assign(generator, { sequence: 0xffffffff });
    const second = generator.next();
    expect(second > first).toBe(true);
    expect(readTimestamp(second)).toBe(1001);
  });
});
