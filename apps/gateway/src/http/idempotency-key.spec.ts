import { parseIdempotencyKey } from './idempotency-key.js';

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
