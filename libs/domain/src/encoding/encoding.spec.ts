import fc from 'fast-check';
import { encodeCanonicalJson, type JsonValue } from './canonical-json.js';
import { compareCodePoints } from './compare-code-points.js';

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
