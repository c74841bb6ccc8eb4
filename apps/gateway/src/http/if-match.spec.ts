import { etagOf, readIfMatch } from './if-match.js';

describe('If-Match', () => {
  it('reads back what an ETag tells', () => {
    expect(readIfMatch(etagOf({ revision: 12 }).etag)).toBe(12);
  });

  it('asks for nothing without the header, or with a star', () => {
    expect(readIfMatch(undefined)).toBeNull();
    expect(readIfMatch('*')).toBeNull();
  });

  it.each(['3', 'W/"3"', '"3", "4"', '"three"', '""', '"9999999999"'])('refuses %s', (header) => {
    expect(() => readIfMatch(header)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
