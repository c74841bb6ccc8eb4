import { readIdempotencyKey } from './idempotency-key.js';

describe('readIdempotencyKey', () => {
  it('takes 1 to 200 printable ASCII characters', () => {
    expect(readIdempotencyKey('a')).toBe('a');
    expect(readIdempotencyKey('x'.repeat(200))).toHaveLength(200);
    expect(readIdempotencyKey('order 7/b')).toBe('order 7/b');
    expect(readIdempotencyKey(undefined)).toBeNull();
  });

  it.each(['', ' ', 'é', 'a\tb', 'x'.repeat(201)])('refuses %j', (key) => {
    expect(() => readIdempotencyKey(key)).toThrow('headers.idempotency-key');
  });
});
