import { etagOf, parseIfMatch } from './if-match.js';

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
