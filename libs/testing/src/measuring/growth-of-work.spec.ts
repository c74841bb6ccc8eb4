import { growthOfWork, LINEAR_GROWTH } from './growth-of-work.js';

const SIZE = 400_000;

describe('growthOfWork', () => {
  it('tells linear work from quadratic work', () => {
    let sum = 0;
    const linear = (size: number) => {
      for (let n = 0; n < size * 10; n += 1) sum ^= n;
    };
    const quadratic = (size: number) => {
      const steps = size / 100;
      for (let n = 0; n < steps * steps; n += 1) sum ^= n;
    };
    expect(growthOfWork(linear, SIZE)).toBeLessThan(LINEAR_GROWTH);
    expect(growthOfWork(quadratic, SIZE)).toBeGreaterThan(LINEAR_GROWTH);
    expect(sum).toEqual(expect.any(Number));
  });
});
