import { formatUsd, parseUsd } from './money.ts';

describe('amounts of money', () => {
  it('are shown to the last micro-dollar', () => {
    expect([0, 1, 1_500_000, 12_345_678_901].map(formatUsd)).toEqual(['$0.00', '$0.000001', '$1.50', '$12,345.678901']);
  });

  it.each([
    ['10', 10_000_000],
    [' 0.30 ', 300_000],
    ['0.000001', 1],
    ['1000000', 1_000_000_000_000],
    ['1,5', null],
    ['', null],
    ['0', null],
    ['0.00', null],
    ['-1', null],
    ['1e3', null],
    ['0.0000001', null],
  ])('%j is read as %s micro-USD', (typed, microUsd) => expect(parseUsd(typed)).toBe(microUsd));
});
