import { etagOf, parseIfMatch } from './if-match.js';

describe('If-Match', () => {
  it('reads back what an ETag tells', () => {
    expect(parseIfMatch(etagOf({ revision: 12 }).etag)).toBe(12);
  });

  it('asks for nothing without the header, or with a star', () => {
    expect(parseIfMatch(undefined)).toBeNull();
    expect(parseIfMatch('*')).toBeNull();
  });

  it.each(['3', 'W/"3"', '"3", "4"', '"three"', '""', '"9999999999"'])('refuses %s', (header) => {
    expect(() => parseIfMatch(header)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
