import { findKnee, isKneeOpen, type Step } from './find-knee.ts';

const step = (offered: number, over: Partial<Step> = {}): Step => ({
  offered,
  carried: offered,
  p50: 5,
  p95: 10,
  cores: 0.5,
  databaseCores: 0.5,
  rssMb: 100,
  ...over,
});

describe('the knee of a process', () => {
  it('is the highest rate that is carried in time, in whatever order the rates were measured', () => {
    const steps = [step(40, { carried: 35 }), step(10), step(30), step(20)];
    expect(findKnee(steps, 100)?.offered).toBe(30);
    expect(isKneeOpen(steps, 100)).toBe(false);
  });

  it('lies below the first rate that takes too long, though a higher one was carried', () => {
    expect(findKnee([step(10), step(20, { p95: 101 }), step(30)], 100)?.offered).toBe(10);
  });

  it('does not exist when the lowest rate is too much', () => {
    expect(findKnee([step(10, { carried: 9 })], 100)).toBeUndefined();
    expect(isKneeOpen([step(10, { carried: 9 })], 100)).toBe(false);
  });

  it('is open when all rates are carried', () => {
    expect(findKnee([step(10), step(20)], 100)?.offered).toBe(20);
    expect(isKneeOpen([step(10), step(20)], 100)).toBe(true);
  });
});
