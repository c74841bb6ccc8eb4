import { etagOf, parseIdempotencyKey, parseIfMatch, rateLimitHeaders } from './headers.js';

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

describe('rateLimitHeaders', () => {
  it('lists each allowance with its quota, unit and window, and what remains of it', () => {
    const headers = rateLimitHeaders([
      { of: 'requests', limit: 3, remaining: 1, resetSeconds: 20, windowSeconds: 60 },
      { of: 'bytes', limit: 5_000, remaining: 0, resetSeconds: 40, windowSeconds: 60 },
    ]);
    expect(headers).toEqual({
      'ratelimit-policy': '"requests";q=3;w=60, "bytes";q=5000;qu="content-bytes";w=60',
      ratelimit: '"requests";r=1;t=20, "bytes";r=0;t=40',
    });
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
