import { hasTimeForQuestion } from './question-time.js';

describe('hasTimeForQuestion', () => {
  it.each([
    [0, 60_000, true],
    [149_999, 60_000, true],
    [150_000, 60_000, false],
    [250_000, 5_000, true],
    [0, 240_000, false],
  ])('after %d ms, with a timeout of %d ms: %s', (elapsedMs, callTimeoutMs, expected) => {
    expect(hasTimeForQuestion({ elapsedMs, callTimeoutMs, jobTimeoutMs: 300_000 })).toBe(expected);
  });
});
