import { chunkBySize } from './chunk-by-size.js';

describe('chunks of records', () => {
  it('have at most so many items and bytes, and none is lost', () => {
    const items = ['a', 'bb', 'c'.repeat(20), 'd', 'e'];
    expect(chunkBySize(items, { items: 2, bytes: 10 })).toEqual([['a', 'bb'], ['c'.repeat(20)], ['d', 'e']]);
    expect(chunkBySize([], { items: 2, bytes: 10 })).toEqual([]);
  });
});
