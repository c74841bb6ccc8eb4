import { compareTokenEstimate } from './count-tokens.js';

describe('compareTokenEstimate', () => {
  it.each([
    [1_000, 1_000, 0, false],
    [1_050, 1_000, 5, false],
    [950, 1_000, -5, false],
    [1_051, 1_000, 5.1, true],
    [900, 1_000, -10, true],
    [0, 4, -100, true],
  ])('reports the estimate %i for %i tokens as %d %% off', (estimated, actual, variancePercent, notable) => {
    expect(compareTokenEstimate(estimated, actual)).toEqual({
      variancePercent: expect.closeTo(variancePercent, 9),
      notable,
    });
  });

  it.each([0, -1, Number.NaN])('returns undefined for a count of %d', (actual) => {
    expect(compareTokenEstimate(100, actual)).toBeUndefined();
  });
});
