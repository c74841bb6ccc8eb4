import fc from 'fast-check';
import { packBody, packSized, packSmall, unpackBody } from './body.js';

describe('a stored body', () => {
  it('unpacks to the packed bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        for (const pack of [packBody, packSmall, packSized]) {
          expect(Buffer.from(unpackBody(pack(bytes))).equals(bytes)).toBe(true);
          expect(pack(bytes).length).toBeLessThanOrEqual(bytes.length + 1);
        }
      }),
    );
  });

  it('is compressed when that saves space, and at most one byte longer otherwise', () => {
    expect(packBody(Buffer.alloc(100_000, 'abc')).length).toBeLessThan(1_000);
    expect(packBody(Buffer.from('short')).length).toBe(6);
  });

  it('of a single message is compressed as well where space counts', () => {
    const message = Buffer.from('{"role":"user","content":"The same words. The same words. "}'.repeat(5));
    expect(packBody(message).length).toBe(message.length + 1);
    expect(packSmall(message).length).toBeLessThan(message.length / 2);
  });

  it('that has more bytes than it says is rejected before they are in memory', () => {
    const bomb = packSized(Buffer.alloc(10_000_000, 'abc'));
    expect(unpackBody(bomb)).toHaveLength(10_000_000);
    bomb.writeUInt32BE(1_000, 1);
    expect(() => unpackBody(bomb)).toThrow(/larger than 1000/);
  });

  it('with an unknown encoding is rejected', () => {
    expect(() => unpackBody(Uint8Array.of(9, 1))).toThrow('this release does not know');
    expect(() => unpackBody(new Uint8Array())).toThrow('this release does not know');
  });
});
