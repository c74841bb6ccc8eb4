import fc from 'fast-check';
import { encodeCanonicalJson, type JsonValue } from './canonical-json.js';
import { compareCodePoints, makeStorable, truncateText, TRUNCATION_SUFFIX } from './unicode.js';

describe('truncateText', () => {
  it('does not change short text and cuts long text at a code point', () => {
    expect(truncateText('abc', 3)).toBe('abc');
    expect(truncateText('abcd', 3)).toBe(`abc${TRUNCATION_SUFFIX}`);
    expect(truncateText('ab\u{1f600}c', 3)).toBe(`ab${TRUNCATION_SUFFIX}`);
    expect(truncateText('x'.repeat(2000))).toBe('x'.repeat(1024) + TRUNCATION_SUFFIX);
  });

  it('returns well-formed text for well-formed text, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const cut = truncateText(text, max);
        expect(cut.isWellFormed()).toBe(true);
        expect(truncateText(cut, max)).toBe(cut);
        expect(cut.length).toBeLessThanOrEqual(max + TRUNCATION_SUFFIX.length);
      }),
    );
  });
});

describe('makeStorable', () => {
  it('removes NUL and replaces lone surrogates', () => {
    expect(makeStorable('a\u0000b\ud800c\u{1f600}')).toBe('ab\ufffdc\u{1f600}');
  });

  it('returns text that UTF-8 encodes without change', () => {
    const units = fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
    fc.assert(
      fc.property(units, (text) => {
        const storable = makeStorable(text);
        expect(Buffer.from(storable, 'utf8').toString('utf8')).toBe(storable);
        expect(storable).not.toContain('\u0000');
      }),
    );
  });
});

describe('encodeCanonicalJson', () => {
  it('sorts members at every depth and drops undefined ones', () => {
    expect(encodeCanonicalJson({ b: { d: 1, c: [true, null] }, a: 'ä"', e: undefined })).toBe(
      '{"a":"ä\\"","b":{"c":[true,null],"d":1}}',
    );
  });

  it('encodes all JSON values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(encodeCanonicalJson(value as JsonValue))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('rejects values without a unique JSON form', () => {
    const refused: unknown[] = [Number.NaN, Infinity, new Date(0), new Map(), 1n, () => 1, undefined];
    for (const value of refused) expect(() => encodeCanonicalJson(value as JsonValue)).toThrow(TypeError);
  });
});

describe('compareCodePoints', () => {
  it('sorts a supplementary character after the whole basic plane', () => {
    expect(compareCodePoints('\u{1f600}', '\uff01')).toBeGreaterThan(0);
    expect(compareCodePoints('a', 'ab')).toBeLessThan(0);
    expect(compareCodePoints('B', 'a')).toBeLessThan(0);
  });

  it('agrees with comparing lists of code points', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(compareUtf8(a, b)));
      }),
    );
  });
});

// UTF-8 bytes sort like code points.
function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
