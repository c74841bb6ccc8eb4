import { divideTexts } from './divide-texts.js';

const textsOf = (count: number, length: number) => Array.from({ length: count }, () => ({ text: 'x'.repeat(length) }));
const sizesOf = (items: readonly { readonly text: string }[]) => divideTexts(items).map(({ length }) => length);

describe('divideTexts', () => {
  it('fills pages by number and by length, and keeps the order', () => {
    expect(sizesOf([])).toEqual([]);
    expect(sizesOf(textsOf(70, 10))).toEqual([32, 32, 6]);
    expect(sizesOf(textsOf(20, 8_000))).toEqual([8, 8, 4]);
    expect(sizesOf([...textsOf(1, 10), ...textsOf(1, 70_000), ...textsOf(2, 10)])).toEqual([1, 1, 2]);
    const items = textsOf(70, 8_000);
    expect(divideTexts(items).flat()).toEqual(items);
  });
});
