import fc from 'fast-check';
import { projectTokenUsage } from './token-projection.js';

const NOW = Date.UTC(2026, 10, 22);
const MINUTE = { windowSizeMs: 60_000, tokensPerMinute: 40_000, now: NOW };
const usage = (...tokens: number[]): { at: number; totalTokens: number }[] =>
  tokens.map((totalTokens) => ({ at: NOW - 1_000, totalTokens }));

describe('projectTokenUsage', () => {
  it('projects nothing without history, however long the queue', () => {
    expect(projectTokenUsage([], 1_000, MINUTE)).toMatchObject({ projectedTokens: 0, shouldThrottle: false });
  });

  // Tokens of the calls in the window, calls waiting, projected tokens, their total, percent, throttled.
  it.each<[number[], number, number, number, number, boolean]>([
    [[1_000], 0, 0, 1_000, 2.5, false],
    [[1_000], 10, 10_000, 11_000, 27.5, false],
    [[1_000, 3_000], 10, 20_000, 24_000, 60, false],
    [[16_000], 1, 16_000, 32_000, 80, false],
    [[16_001], 1, 16_001, 32_002, 80.005, true],
    [[2_000, 2_000], 14, 28_000, 32_000, 80, false],
    [[2_000, 2_000], 15, 30_000, 34_000, 85, true],
    [[40_000], 0, 0, 40_000, 100, true],
    [[0, 0], 100, 0, 0, 0, false],
  ])('calls of %j with %s waiting', (tokens, queueDepth, projectedTokens, projectedTotal, percent, shouldThrottle) => {
    expect(projectTokenUsage(usage(...tokens), queueDepth, MINUTE)).toEqual({
      projectedTokens,
      projectedTotal,
      windowTokensUsed: projectedTotal - projectedTokens,
      windowLimit: 40_000,
      utilizationPercent: expect.closeTo(percent, 9),
      shouldThrottle,
    });
  });

  it.each([
    [60_000, 500],
    [60_001, 0],
  ])('after a call %s ms ago counts %s tokens', (age, windowTokensUsed) => {
    const history = [{ at: NOW - age, totalTokens: 500 }];
    expect(projectTokenUsage(history, 1, MINUTE)).toMatchObject({ windowTokensUsed });
  });

  it('scales the limit to the window and rounds it down', () => {
    const window = { ...MINUTE, windowSizeMs: 10_000 };
    expect(projectTokenUsage(usage(1), 0, window).windowLimit).toBe(6_666);
  });

  it('projects no less for a longer queue', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9_000), { minLength: 1 }), fc.nat(500), fc.nat(500), (tokens, depth, more) => {
        const shorter = projectTokenUsage(usage(...tokens), depth, MINUTE);
        const longer = projectTokenUsage(usage(...tokens), depth + more, MINUTE);
        expect(longer.utilizationPercent).toBeGreaterThanOrEqual(shorter.utilizationPercent);
      }),
    );
  });
});
