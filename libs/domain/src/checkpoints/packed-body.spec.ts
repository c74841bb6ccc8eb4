import fc from 'fast-check';
import { packBody, unpackBody } from './packed-body.js';

describe('a stored body', () => {
  it('unpacks to the packed bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        expect(Buffer.from(unpackBody(packBody(bytes))).equals(bytes)).toBe(true);
      }),
    );
  });

  it('is compressed when that saves space, and at most one byte longer otherwise', () => {
    expect(packBody(Buffer.alloc(100_000, 'abc')).length).toBeLessThan(1_000);
    expect(packBody(Buffer.from('short')).length).toBe(6);
  });

  it('with an unknown encoding is rejected', () => {
    expect(() => unpackBody(Uint8Array.of(9, 1))).toThrow('this release does not know');
    expect(() => unpackBody(new Uint8Array())).toThrow('this release does not know');
  });
});
