import { createKeyText } from './key-text.js';

describe('createKeyText', () => {
  it('returns ann_ and the random bytes in base64url', () => {
    const text = createKeyText((size) => new Uint8Array(size).fill(255));
    expect(text).toBe(`ann_${Buffer.alloc(32, 255).toString('base64url')}`);
    expect(text).toHaveLength(47);
  });
});
