import { etagOf, parseIdempotencyKey, parseIfMatch } from './headers.js';

describe('parseIdempotencyKey', () => {
  it('accepts 1 to 200 printable ASCII characters', () => {
    expect(parseIdempotencyKey('a')).toBe('a');
    expect(parseIdempotencyKey('x'.repeat(200))).toHaveLength(200);
    expect(parseIdempotencyKey('order 7/b')).toBe('order 7/b');
    expect(parseIdempotencyKey(undefined)).toBeNull();
  });

  it.each(['', ' ', 'é', 'a\tb', 'x'.repeat(201)])('refuses %j', (key) => {
    expect(() => parseIdempotencyKey(key)).toThrow('headers.idempotency-key');
  });
});

describe('If-Match', () => {
  it('parses the revision of an ETag', () => {
    expect(parseIfMatch(etagOf({ revision: 12 }).etag)).toBe(12);
  });

  it('is null without the header, or with a star', () => {
    expect(parseIfMatch(undefined)).toBeNull();
    expect(parseIfMatch('*')).toBeNull();
  });

  it.each(['3', 'W/"3"', '"3", "4"', '"three"', '""', '"9999999999"'])('refuses %s', (header) => {
    expect(() => parseIfMatch(header)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
