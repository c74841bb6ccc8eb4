import fc from 'fast-check';
import { decideRate, type RateView, type Usage } from './decide-rate.js';

const NOW = Date.UTC(2026, 10, 22);
const TOKENS_PER_MINUTE = 40_000;

const sum = (tokens: readonly number[]): Usage => ({
  requests: tokens.length,
  tokens: tokens.reduce((total, count) => total + count, 0),
});

/** A minute with calls that have settled, of another tenant. The requesting one had none, so it is not paced. */
function view(settled: readonly number[], waitingRequests: number, changes: Partial<RateView> = {}): RateView {
  const used = sum(settled);
  return {
    now: NOW,
    tokens: 0,
    requestCapacity: null,
    tokenCapacity: { limit: TOKENS_PER_MINUTE, free: TOKENS_PER_MINUTE - used.tokens, msUntil: () => 0 },
    blockedUntil: 0,
    used,
    settled: used,
    own: { requests: 0, tokens: 0 },
    waitingRequests,
    waiting: [],
    newestAt: NOW - 1_000,
    oldest: settled.map((tokens) => ({ at: NOW - 1_000, tokens })),
    ...changes,
  };
}

describe('projected utilization of a rate limit', () => {
  it('is 0 without calls in the window, however many are waiting', () => {
    expect(decideRate(view([], 1_000))).toEqual({ admitted: true, utilizationPercent: 0 });
  });

  it.each<[settled: number[], waiting: number, percent: number]>([
    [[1_000], 1, 5],
    [[1_000], 10, 27.5],
    [[1_000, 3_000], 10, 60],
    [[16_000], 1, 80],
    [[16_001], 1, 80.005],
    [[2_000, 2_000], 15, 85],
    [[0, 0], 100, 0],
  ])('after calls of %j tokens with %s waiting is %s %%', (settled, waiting, percent) => {
    expect(decideRate(view(settled, waiting)).utilizationPercent).toBeCloseTo(percent, 9);
  });

  it('counts the requesting call as waiting', () => {
    expect(decideRate(view([1_000], 0))).toEqual(decideRate(view([1_000], 1)));
  });

  it('expects calls in flight to need the average of the settled ones', () => {
    const inFlight = { used: { requests: 3, tokens: 90_000 } };
    expect(decideRate(view([1_000, 3_000], 1, inFlight)).utilizationPercent).toBeCloseTo(20, 9);
  });

  it('is that of the limit which is nearer', () => {
    const requestCapacity = { limit: 4, free: 3, msUntil: () => 0 };
    expect(decideRate(view([1_000], 1, { requestCapacity })).utilizationPercent).toBeCloseTo(50, 9);
  });

  it.each([
    [16_000, true],
    [16_001, false],
  ])('paces calls above 80 percent only: one of %s tokens before, admitted %s', (tokens, admitted) => {
    expect(decideRate(view([tokens], 1, { tokens, own: sum([tokens]) })).admitted).toBe(admitted);
  });

  it('is not lower for a longer queue', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9_000), { minLength: 1 }), fc.nat(500), fc.nat(500), (settled, waiting, more) => {
        const [shorter, longer] = [decideRate(view(settled, waiting)), decideRate(view(settled, waiting + more))];
        expect(longer.utilizationPercent).toBeGreaterThanOrEqual(shorter.utilizationPercent);
      }),
    );
  });
});
