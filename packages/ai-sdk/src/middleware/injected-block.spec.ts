import { withoutInjected } from './injected-block.js';

describe('withoutInjected', () => {
  it.each([
    ['a<annals-memory>b</annals-memory>c', 'ac'],
    ['<annals-memory kind="profile">b</annals-memory> c <ANNALS-MEMORY>d</Annals-Memory>', 'c'],
    ['<annals-memory><annals-memory x>b</annals-memory>c</annals-memory>', 'c</annals-memory>'],
    ['<annals-memory <annals-memory>b</annals-memory>c', 'c'],
    ['<annals-memory>b', '<annals-memory>b'],
    ['<annals-memory b</annals-memory>', '<annals-memory b</annals-memory>'],
    ['<annals-memory-like>b</annals-memory>', '<annals-memory-like>b</annals-memory>'],
    ['</annals-memory>a<annals-memory></annals-memory>', '</annals-memory>a'],
    ['İ<annals-memory>b</annals-memory>', 'İ'],
  ])('makes %j to %j', (text, kept) => {
    expect(withoutInjected(text)).toBe(kept);
  });

  it.each(['<annals-memory>', '<annals-memory ', '<annals-memory></annals-memory', '<annals-memory>x</annals-memory>'])(
    'reads many of %j in one pass',
    (piece) => {
      const text = piece.repeat(60_000);
      expect(withoutInjected(text)).toBe(piece.includes('x') ? '' : text.trim());
    },
  );
});
