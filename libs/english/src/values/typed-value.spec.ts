import { measureCpuGrowth, MAX_LINEAR_GROWTH } from '@annals/testing';
import { readTypedValue } from './typed-value.js';

describe('readTypedValue', () => {
  it.each([
    ['is on 3 June 2026', 'is on <date>', '3 june 2026'],
    ['is on Tuesday', 'is on <date>', 'tuesday'],
    ['starts at nine', 'starts at <time>', 'nine'],
    ['is at noon', 'is at <time>', 'noon'],
    ['is 900 euros a month', 'is <number> euros a month', '900'],
    ['has four rooms', 'has <number> rooms', 'four'],
    ['is eu-3', 'is <name>', 'eu-3'],
    ['is on host db-7', 'is on host <name>', 'db-7'],
    ['is Dr. Weiss', 'is <name>', 'dr. weiss'],
    ['is the Astoria', 'is <name>', 'astoria'],
    ['is 12 Mill Lane', 'is <name>', '12 mill lane'],
    ['is on the third floor', 'is on the <ordinal> floor', 'third'],
    ['is dark green', 'is <colour>', 'dark green'],
  ])('reads %s', (words, frame, value) => {
    expect(readTypedValue(words)).toEqual({ frame, value });
  });

  it.each(['is slow today', 'is down', 'is very patient', 'is a great cook'])('finds none in %s', (words) => {
    expect(readTypedValue(words)).toBeNull();
  });

  it.each(['a-', 'A ', '1 ', 'a1.', 'Dr. '])('takes linear time on %j repeated', (unit) => {
    const work = (size: number) => readTypedValue(unit.repeat(size / unit.length));
    expect(measureCpuGrowth(work, 4_000)).toBeLessThan(MAX_LINEAR_GROWTH * 2);
  });
});
