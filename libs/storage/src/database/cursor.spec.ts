import fc from 'fast-check';
import { InvalidCursorError, type CursorKind, decodeCursor, encodeCursor, buildPage, parseCursor } from './cursor.js';

const keyPart = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
);

describe('cursor', () => {
  it('decodes every key it was encoded from, in characters that need no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.array(keyPart, { minLength: 1, maxLength: 4 }), (key) => {
        const cursor = encodeCursor(key);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, key.length)).toEqual(JSON.parse(JSON.stringify(key)));
      }),
    );
  });

  it('returns null for text that it did not encode, without throwing', () => {
    fc.assert(fc.property(fc.string(), (text) => decodeCursor(text, 7) === null));
    for (const value of [null, {}, 'a', [1], [1, null], [[1], 2], [1, 2, 3]]) {
      expect(decodeCursor(Buffer.from(JSON.stringify(value)).toString('base64url'), 2)).toBeNull();
    }
  });

  const ID = '018f0000-0000-7000-8000-000000000001';

  it('is rejected when its parts have other kinds', () => {
    expect(parseCursor(encodeCursor([ID, 1]), ['uuid', 'integer'])).toEqual([ID, 1]);
    expect(parseCursor(undefined, ['uuid'])).toBeNull();
    expect(() => parseCursor(encodeCursor([1, ID]), ['uuid', 'integer'])).toThrow(InvalidCursorError);
    expect(() => parseCursor('nonsense', ['uuid'])).toThrow(InvalidCursorError);
  });

  it.each<[CursorKind, string | number]>([
    ['uuid', 'a'],
    ['uuid', `${ID} `],
    ['integer', 1.5],
    ['integer', 1e300],
    ['integer', '1'],
    ['time', 'yesterday'],
    ['time', '2026-13-01 00:00:00+00'],
    ['time', '2026-02-31 00:00:00+00'],
    ['time', '2026-01-01 25:00:00+00'],
    ['time', '0000-01-01 00:00:00+00'],
    ['time', '2026-01-01 00:00:00+16'],
    ['time', '2026-01-01 00:00:00+15:60'],
    ['day', '0000-01-01'],
    ['day', '2026-02-31'],
    ['day', '2026-01-05 '],
    ['day', 20_260_105],
    ['text', 1],
    ['text', 'a\0b'],
  ])('is rejected before PostgreSQL parses it when it is no %s: %s', (kind, part) => {
    expect(() => parseCursor(encodeCursor([part]), [kind])).toThrow(InvalidCursorError);
  });

  it('accepts a time in the format of PostgreSQL', () => {
    for (const time of ['2026-01-05 09:00:00+00', '2024-02-29 23:59:59.123456+05:30']) {
      expect(parseCursor(encodeCursor([time]), ['time'])).toEqual([time]);
    }
  });

  it('accepts a day, and any text that PostgreSQL can store', () => {
    expect(parseCursor(encodeCursor(['2024-02-29', '']), ['day', 'text'])).toEqual(['2024-02-29', '']);
  });

  it('points to the next page only when there is one', () => {
    const cut = (rows: number[]) =>
      buildPage(
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
