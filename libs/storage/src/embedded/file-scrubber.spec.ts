import { restAfterFailure } from './file-scrubber.js';

describe('restAfterFailure', () => {
  it.each([
    [1, 10, 60_000],
    [2, 10, 120_000],
    [3, 30_000, 480_000],
    [20, 10, 3_600_000],
    [2, 1_000_000, 4_000_000],
  ])('grows with failures and with the time they took: %i of %i ms', (failures, elapsedMs, restMs) => {
    expect(restAfterFailure(failures, elapsedMs)).toBe(restMs);
  });
});
