import fc from 'fast-check';
import { MalformedMessageError, MessageReader } from './message-reader.js';
import { encodeMessage } from './wire-messages.js';

describe('MessageReader', () => {
  it('returns the same messages for any split of their bytes', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(bodies, cuts, (messages, sizes) => {
        const expected = messages.map((body) => encodeMessage('D', body));
        const bytes = Buffer.concat(expected);
        const reader = new MessageReader();
        const seen: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          reader.push(bytes.subarray(at, at + size));
          at += size;
          for (let next = reader.nextMessage(); next !== undefined; next = reader.nextMessage()) seen.push(next);
        }
        expect(seen.map((message) => message.toString('hex'))).toEqual(
          expected.map((message) => message.toString('hex')),
        );
      }),
    );
  });

  it('rejects a length that no message has', () => {
    const reader = new MessageReader();
    reader.push(Buffer.from([0x51, 0, 0, 0, 3]));
    expect(() => reader.nextMessage()).toThrow(MalformedMessageError);
  });
});
