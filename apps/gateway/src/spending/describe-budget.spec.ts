import { describeBudget, describeChange, isRaised } from './describe-budget.js';

const NOW = Date.UTC(2026, 10, 22, 23, 59, 59);
const figures = {
  overrideMicroUsd: null,
  configuredMicroUsd: 3_000_000,
  spentMicroUsd: 1_000_000,
  reservedMicroUsd: 7,
};

describe('describeBudget', () => {
  it('returns the budget day in UTC, the usage, and when it resets', () => {
    expect(describeBudget(figures, NOW)).toEqual({
      day: '2026-11-22',
      daily_limit_micro_usd: 3_000_000,
      source: 'configuration',
      spent_micro_usd: 1_000_000,
      reserved_micro_usd: 7,
      budget_utilization: 33.33,
      resets_at: '2026-11-23T00:00:00.000Z',
    });
  });

  it('prefers a limit that is set with the API', () => {
    const set = { ...figures, overrideMicroUsd: 500_000 };
    expect(describeBudget(set, NOW)).toMatchObject({ daily_limit_micro_usd: 500_000, source: 'api' });
  });

  it.each([
    ['is none', { configuredMicroUsd: null }],
    ['is disabled with the API', { overrideMicroUsd: 0 }],
    ['is disabled in the configuration', { configuredMicroUsd: -1 }],
  ])('returns no utilization if the limit %s', (_what, change) => {
    const budget = describeBudget({ ...figures, ...change }, NOW);
    expect(budget).toMatchObject({ daily_limit_micro_usd: null, budget_utilization: null });
  });
});

describe('isRaised', () => {
  it.each([
    [5, 6, true],
    [5, null, true],
    [5, 0, true],
    [5, 5, false],
    [6, 5, false],
    [null, 5, false],
    [0, 5, false],
    [null, null, false],
  ])('from %j to %j: %j', (before, after, raised) => expect(isRaised(before, after)).toBe(raised));
});

describe('describeChange', () => {
  it.each([
    [5, 6, [5, 6]],
    [null, 6, [0, 6]],
    [6, -1, [6, 0]],
    [5, 5, null],
    [null, 0, null],
  ])('from %j to %j: %j', (before, after, change) => {
    expect(describeChange(before, after)).toEqual(change && { fromMicroUSD: change[0], toMicroUSD: change[1] });
  });
});
