import { ManualClock, startDeadline } from './clock.js';
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

  it('call timers of the manual clock when the time has passed, in order and once', () => {
    const clock = new ManualClock(100);
    const due: string[] = [];
    clock.startTimer(20, () => due.push('late'));
    const early = clock.startTimer(10, () => due.push('early'));
    const stopped = clock.startTimer(5, () => due.push('stopped'));
    stopped.stop();
    clock.reset(1_000);
    expect([due, clock.monotonicNow(), clock.waiting]).toEqual([[], 0, 2]);
    clock.advance(9);
    early.restart();
    clock.advance(9);
    expect(due).toEqual([]);
    clock.advance(5);
    expect(due).toEqual(['early', 'late']);
    early.restart();
    clock.advance(-50);
    expect(clock.monotonicNow()).toBe(23);
    clock.advance(10);
    expect([due, clock.waiting]).toEqual([['early', 'late', 'early'], 0]);
  });

  it('abort a deadline with its reason, and not after it was stopped', async () => {
    const manual = new ManualClock();
    const reason = new Error('too late');
    const kept = startDeadline(manual, 10, () => reason);
    const stopped = startDeadline(manual, 10, () => reason);
    stopped.timer.stop();
    manual.advance(10);
    expect([kept.signal.reason, stopped.signal.aborted]).toEqual([reason, false]);
    const { signal } = startDeadline(new SystemClock(), 1, () => reason);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toBe(reason);
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
