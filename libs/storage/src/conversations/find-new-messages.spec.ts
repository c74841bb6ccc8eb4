import { findNewMessages, MessageConflictError } from './find-new-messages.js';

const message = (externalId: string | null, words: string) => ({ externalId, contentHmac: Buffer.from(words) });

describe('findNewMessages', () => {
  it('treats messages without id as new, even with the same text', () => {
    expect(findNewMessages([message(null, 'a'), message(null, 'a')], new Map())).toHaveLength(2);
  });

  it('skips a stored id with the same text and an id repeated in the post', () => {
    const stored = new Map([['m1', Buffer.from('a')]]);
    const newMessages = findNewMessages([message('m1', 'a'), message('m2', 'b'), message('m2', 'b')], stored);
    expect(newMessages.map((m) => m.externalId)).toEqual(['m2']);
  });

  it('returns the index of a message whose id was used with different text', () => {
    const stored = new Map([['m1', Buffer.from('a')]]);
    const attempt = (messages: ReturnType<typeof message>[]) => {
      try {
        findNewMessages(messages, stored);
        return 'no conflict';
      } catch (error) {
        return (error as MessageConflictError).index;
      }
    };
    expect(attempt([message('m0', 'x'), message('m1', 'other')])).toBe(1);
    expect(attempt([message('m2', 'x'), message(null, 'y'), message('m2', 'z')])).toBe(2);
  });

  it('accepts any text for an id whose HMAC was erased', () => {
    expect(findNewMessages([message('m1', 'other')], new Map([['m1', null]]))).toEqual([]);
  });
});
