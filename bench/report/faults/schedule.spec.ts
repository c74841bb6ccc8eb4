import { SeededRng } from '@annals/domain';
import { FAULT_NAMES, FAULTS } from './faults.ts';
import { planFaults } from './schedule.ts';

const MINUTE_MS = 60_000;

describe('the schedule of faults', () => {
  const plan = (seed: number, count = 30, intervalMs = MINUTE_MS) =>
    planFaults(new SeededRng(seed), { names: FAULT_NAMES, count, intervalMs });

  it('is the same for the same seed, and another for another', () => {
    expect(plan(1)).toEqual(plan(1));
    expect(plan(1).map(({ name }) => name)).not.toEqual(plan(2).map(({ name }) => name));
  });

  it('has one fault in each interval, which is over before the next begins', () => {
    for (const intervalMs of [MINUTE_MS, 8_000]) {
      for (const [index, { atMs, durationMs }] of plan(3, 30, intervalMs).entries()) {
        expect(atMs).toBeGreaterThanOrEqual(index * intervalMs);
        expect(atMs + durationMs).toBeLessThan((index + 1) * intervalMs);
      }
    }
  });

  it('causes every fault before one comes again', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const names = plan(seed, FAULT_NAMES.length * 2).map(({ name }) => name);
      expect(new Set(names.slice(0, FAULT_NAMES.length)).size).toBe(FAULT_NAMES.length);
      expect(new Set(names.slice(FAULT_NAMES.length)).size).toBe(FAULT_NAMES.length);
    }
  });

  it('keeps to the durations of each fault where the interval allows it', () => {
    for (const { name, durationMs } of plan(5, 200, 10 * MINUTE_MS)) {
      const [min, max] = FAULTS[name].durationMs;
      expect(durationMs).toBeGreaterThanOrEqual(min);
      expect(durationMs).toBeLessThanOrEqual(max);
    }
  });
});
