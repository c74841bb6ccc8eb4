import fc from 'fast-check';
import { checkDelta } from './check-delta.js';
import { applyDeltas, diffStates } from './state-delta.js';

const LIMITS = { baseBytes: 100, maxBytes: 900, maxRuns: 10 };

describe('checkDelta', () => {
  it('tells the length of what a delta makes', () => {
    const text = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const [base, next] = [Buffer.concat([a, b]), Buffer.concat([b, c, a])];
        const limits = { baseBytes: base.length, maxBytes: next.length, maxRuns: 1_000 };
        expect(checkDelta(diffStates(base, next), limits)).toBe(next.length);
      }),
    );
  });

  it('accepts no delta that cannot be applied', () => {
    const base = Buffer.alloc(100, 'a');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (delta) => {
        let length: number;
        try {
          length = checkDelta(delta, LIMITS);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        expect(applyDeltas(base, [delta]).length).toBe(length);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, number[], RegExp]>([
    ['copies from outside of its base', [3, 100], /outside/],
    ['is truncated', [4, 1], /truncated/],
    ['has a number without an end', [3, ...Array.from({ length: 12 }, () => 0xff)], /too large/],
    ['has a number that is none', [3, ...Array.from({ length: 160 }, () => 0x80), 0], /too large/],
    ['makes too much', Array.from({ length: 10 }, () => [201, 1, 0]).flat(), /more than 900 bytes/],
    ['has too many runs', Array.from({ length: 11 }, () => [3, 0]).flat(), /more than 10 runs/],
  ])('refuses one that %s', (_what, bytes, message) => {
    expect(() => checkDelta(Uint8Array.from(bytes), LIMITS)).toThrow(message);
  });
});
