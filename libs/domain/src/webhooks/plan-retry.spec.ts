import fc from 'fast-check';
import { SeededRng } from '../determinism/rng.js';
import { GIVE_UP_AFTER_MS, limitRetryAfter, parseRetryAfter, planRetry } from './plan-retry.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST = Date.UTC(2026, 0, 5, 9);
/** Without jitter. */
const LATEST = { nextFloat: () => 0 };

/** When an event is sent that is never acknowledged, in ms after its first attempt. */
function listAttempts(rng: { nextFloat(): number }, lateMs = 0): number[] {
  const times = [0];
  for (;;) {
    const now = FIRST + times.at(-1)!;
    const next = planRetry({ attempts: times.length, firstFailedAt: FIRST, now, retryAfterMs: null }, rng);
    if (next === null) return times;
    times.push(next - FIRST + lateMs);
  }
}

describe('planRetry', () => {
  it('tries ten times, as Standard Webhooks recommends, in more than three days', () => {
    const waits = listAttempts(LATEST).map((at, index, all) => (at - (all[index - 1] ?? 0)) / MINUTE_MS);
    expect(waits.map((minutes) => Math.round(minutes * 60))).toEqual(
      [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds),
    );
    expect(GIVE_UP_AFTER_MS / HOUR_MS).toBeCloseTo(75.58, 2);
  });

  it('spreads attempts at random by a tenth at most, the same for the same seed', () => {
    const [one, again, other] = [1, 1, 2].map((seed) => listAttempts(new SeededRng(seed)));
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(one!.at(-1)).toBeGreaterThanOrEqual(0.9 * GIVE_UP_AFTER_MS - 10);
    expect(one!.at(-1)).toBeLessThan(GIVE_UP_AFTER_MS);
  });

  it('gives nothing up before its time because attempts came early', () => {
    const endsAt = FIRST + 0.9 * GIVE_UP_AFTER_MS;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat({ max: 100 * HOUR_MS }), (attempts, passedMs) => {
        const now = FIRST + passedMs;
        const next = planRetry({ attempts, firstFailedAt: FIRST, now, retryAfterMs: null }, LATEST);
        expect(next === null).toBe(attempts > 9 && now >= endsAt);
        if (next !== null) expect(next).toBeGreaterThan(now - 1);
      }),
    );
  });

  it('sends no burst behind attempts that came early, whatever is random', () => {
    const endsAt = FIRST + 0.9 * GIVE_UP_AFTER_MS;
    const times = [endsAt - 25 * HOUR_MS];
    const earliest = { nextFloat: () => 0.999 };
    for (let attempts = 10; ; attempts += 1) {
      const next = planRetry({ attempts, firstFailedAt: FIRST, now: times.at(-1)!, retryAfterMs: null }, earliest);
      if (next === null) break;
      times.push(next);
    }
    expect(times.map((at) => Math.round((at - endsAt) / HOUR_MS))).toEqual([-25, -1, 0]);
  });

  it('waits for as long as the receiver asks, up to an hour', () => {
    const plan = (retryAfterMs: number) =>
      planRetry({ attempts: 1, firstFailedAt: FIRST, now: FIRST, retryAfterMs }, LATEST)! - FIRST;
    expect([plan(1_000), plan(10 * MINUTE_MS), plan(100 * HOUR_MS)]).toEqual([5_000, 10 * MINUTE_MS, HOUR_MS]);
    expect([limitRetryAfter(null), limitRetryAfter(5), limitRetryAfter(2 * HOUR_MS)]).toEqual([null, 5, HOUR_MS]);
  });
});

describe('parseRetryAfter', () => {
  it('reads seconds and dates, and nothing else', () => {
    const date = new Date(FIRST + 90_000).toUTCString();
    expect(parseRetryAfter('120', FIRST)).toBe(120_000);
    expect(parseRetryAfter(date, FIRST)).toBe(90_000);
    expect(parseRetryAfter(new Date(FIRST - 90_000).toUTCString(), FIRST)).toBe(0);
    for (const header of [undefined, '', 'soon', '-5', '1e9']) expect(parseRetryAfter(header, FIRST)).toBeNull();
  });
});
