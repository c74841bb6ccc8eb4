import { measureCpuGrowth, MAX_LINEAR_GROWTH } from './measure-cpu-growth.js';

const SIZE = 400_000;

describe('measureCpuGrowth', () => {
  it('distinguishes linear from quadratic work', () => {
    let sum = 0;
    const linear = (size: number) => {
      for (let n = 0; n < size * 10; n += 1) sum ^= n;
    };
    const quadratic = (size: number) => {
      const steps = size / 100;
      for (let n = 0; n < steps * steps; n += 1) sum ^= n;
    };
    expect(measureCpuGrowth(linear, SIZE)).toBeLessThan(MAX_LINEAR_GROWTH);
    expect(measureCpuGrowth(quadratic, SIZE)).toBeGreaterThan(MAX_LINEAR_GROWTH);
    expect(sum).toEqual(expect.any(Number));
  });
});
