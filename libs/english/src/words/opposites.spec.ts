import { readScaledWord } from './opposites.js';

const isOpposite = (one: string, other: string) => {
  const [a, b] = [readScaledWord(one), readScaledWord(other)];
  return a !== undefined && b !== undefined && a.scale === b.scale && a.end !== b.end;
};

describe('readScaledWord', () => {
  it.each([
    ['short', 'detailed'],
    ['trusts', 'distrusts'],
    ['better', 'worse'],
    ['morning', 'evening'],
    ['confident', 'unsure'],
  ])('puts %s and %s at two ends of one scale', (one, other) => {
    expect([isOpposite(one, other), isOpposite(one, one)]).toEqual([true, false]);
  });

  it.each([
    ['short', 'brief'],
    ['short', 'worse'],
    ['short', 'train'],
  ])('does not put %s opposite of %s', (one, other) => {
    expect(isOpposite(one, other)).toBe(false);
  });
});
