import { ManualClock } from './clock.js';
import { SystemClock, SystemRng } from './system.js';

describe('clocks', () => {
  it('change the manual clock only by reset and advance', () => {
    const clock = new ManualClock(100);
    expect(clock.now()).toBe(100);
    clock.advance(50);
    expect(clock.now()).toBe(150);
    clock.reset(10);
    expect(clock.now()).toBe(10);
  });

  it('read the host through the system implementations', () => {
    const before = Date.now();
    const now = new SystemClock().now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
    const value = new SystemRng().nextFloat();
    expect(value >= 0 && value < 1).toBe(true);
  });
});
