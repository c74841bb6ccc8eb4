import fc from 'fast-check';
import { BadCursorError, decodeCursor, encodeCursor, pageOf, readCursor } from './cursor.js';

const keyPart = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
);

describe('cursor', () => {
  it('gives back every key it was made of, in characters that need no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.array(keyPart, { minLength: 1, maxLength: 4 }), (key) => {
        const cursor = encodeCursor(key);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, key.length)).toEqual(JSON.parse(JSON.stringify(key)));
      }),
    );
  });

  it('takes no text that it did not make, and does not fail on it', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(decodeCursor(text, 7)).toBeNull()));
    for (const value of [null, {}, 'a', [1], [1, null], [[1], 2], [1, 2, 3]]) {
      expect(decodeCursor(Buffer.from(JSON.stringify(value)).toString('base64url'), 2)).toBeNull();
    }
  });

  it('is refused when its parts are of other kinds', () => {
    expect(readCursor(encodeCursor(['a', 1]), ['string', 'number'])).toEqual(['a', 1]);
    expect(readCursor(undefined, ['string'])).toBeNull();
    expect(() => readCursor(encodeCursor([1, 'a']), ['string', 'number'])).toThrow(BadCursorError);
    expect(() => readCursor('nonsense', ['string'])).toThrow(BadCursorError);
  });

  it('leads to the next page only when there is one', () => {
    const cut = (rows: number[]) =>
      pageOf(
        rows,
        2,
        (row) => `row ${row}`,
        (row) => [row],
      );
    expect(cut([])).toEqual({ items: [], next_cursor: null });
    expect(cut([1, 2])).toEqual({ items: ['row 1', 'row 2'], next_cursor: null });
    expect(cut([1, 2, 3])).toEqual({ items: ['row 1', 'row 2'], next_cursor: encodeCursor([2]) });
  });
});
