import fc from 'fast-check';
import { makeStorable } from './storable-text.js';
import { TRUNCATION_SUFFIX, truncateText } from './truncate-text.js';

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
