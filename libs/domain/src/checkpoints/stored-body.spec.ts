import fc from 'fast-check';
import { packBody, shouldStoreSnapshot, unpackBody } from './stored-body.js';

describe('shouldStoreSnapshot', () => {
  it('is true when a read would cost more than twice the snapshot', () => {
    const since = { versions: 3, wholeBytes: 30_000, deltaBytes: 29_000 };
    expect(shouldStoreSnapshot(since, 1_000)).toBe(false);
    expect(shouldStoreSnapshot(since, 1_001)).toBe(true);
  });

  it('is false for small deltas, and always true after 64 versions', () => {
    expect(shouldStoreSnapshot({ versions: 9, wholeBytes: 100, deltaBytes: 2_000 }, 500)).toBe(false);
    expect(shouldStoreSnapshot({ versions: 64, wholeBytes: 100, deltaBytes: 1 }, 1)).toBe(true);
  });
});

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
