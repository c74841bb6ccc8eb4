import { readMemoryLimit, sortMemoryMb } from './sort-memory.js';

const MB = 2 ** 20;

describe('memory for sorting', () => {
  it.each([
    [64, 16],
    [256, 32],
    [512, 64],
    [1_024, 128],
    [2_048, 256],
    [65_536, 256],
  ])('of a process that may use %i MB is %i MB', (limit, expected) => {
    expect(sortMemoryMb(limit * MB)).toBe(expected);
  });

  it('is an eighth of a limit that is known on every machine', () => {
    expect(readMemoryLimit()).toBeGreaterThan(64 * MB);
    expect(Number.isSafeInteger(readMemoryLimit())).toBe(true);
  });
});
