import { HOSTILE_TEXTS } from '@annals/testing';
import fc from 'fast-check';
import { createSliceMeter, cutSlices, workInSlices } from './cut-slices.js';
import { MAX_SLICE_UNITS, type Sliced } from './sliced.js';

describe('cutSlices', () => {
  it('returns pieces of at most that many units, which are whole characters and joined the text', () => {
    const text = fc.array(fc.constantFrom('a', 'b c', '. ', '\n', '\u{1f600}', 'e\u0301', ' '), { maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (parts, maxUnits) => {
        const pieces = [...cutSlices(parts.join(''), maxUnits)];
        expect(pieces.join('')).toBe(parts.join(''));
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(maxUnits);
          expect(piece.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('cuts at the last end of a line, else of a sentence, else before the last blank', () => {
    expect([...cutSlices('One line.\nTwo words. Three', 20)]).toEqual(['One line.\n', 'Two words. Three']);
    expect([...cutSlices('Some words. And others', 18)]).toEqual(['Some words.', ' And others']);
    expect([...cutSlices('some words and others', 14)]).toEqual(['some words', ' and others']);
    expect([...cutSlices('x'.repeat(10), 4)]).toEqual(['xxxx', 'xxxx', 'xx']);
  });

  it.each(HOSTILE_TEXTS)('cuts $name in slices of at most 16 kB, as many as its length needs', ({ make }) => {
    const count = (length: number) => {
      const pieces = [...cutSlices(make(length))];
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(MAX_SLICE_UNITS);
      return pieces.length;
    };
    const [single, double] = [count(150_000), count(300_000)];
    expect(single).toBeLessThanOrEqual(11);
    expect(double).toBeLessThanOrEqual(2 * single + 1);
  });
});

describe('workInSlices', () => {
  it('yields between two slices, and not for a text of one', () => {
    const worked: string[] = [];
    expect([...workInSlices('a b c', (slice) => worked.push(slice), 2)]).toHaveLength(worked.length - 1);
    expect(worked.join('')).toBe('a b c');
    expect([...workInSlices('short', () => undefined)]).toEqual([]);
  });
});

describe('createSliceMeter', () => {
  it('lets short texts share a slice, and yields before the text that does not fit into it', () => {
    const meter = createSliceMeter(10);
    function* work(): Sliced<void> {
      for (const units of [4, 6, 1, 20, 1]) yield* meter(units);
    }
    // 4 and 6 fill a slice, 1 begins one, 20 does not fit behind it, nor does 1 behind 20.
    expect([...work()]).toHaveLength(3);
  });
});
