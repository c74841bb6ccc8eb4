import type { Batch } from '@annals/sdk';
import { describeResult } from './describe-result.ts';

describe('describeResult', () => {
  const batch = (given: Partial<Batch>) =>
    describeResult({
      messages: 2,
      status: 'done',
      inserted: 0,
      updated: 0,
      skipped_duplicate: 0,
      quarantined: 0,
      error: null,
      deferred_reason: null,
      deferred_until: null,
      shortfall_micro_usd: null,
      ...given,
    } as Batch);

  it('counts what a finished batch brought', () => {
    expect(batch({ inserted: 3, skipped_duplicate: 1 })).toBe('2 messages: 3 new, 1 known already');
    expect(batch({ messages: 1 })).toBe('1 message: nothing new');
  });

  it('says why a failed one failed', () => {
    const error = { code: 'timeout', message: 'The provider did not answer.' };
    expect(batch({ status: 'failed', error })).toBe('2 messages: The provider did not answer. (timeout)');
  });

  it('says what a deferred one waits for', () => {
    expect(
      batch({
        status: 'deferred',
        deferred_reason: 'budget_exceeded',
        deferred_until: '2026-01-02T00:00:00Z',
        shortfall_micro_usd: 20_000,
      }),
    ).toMatch(/^2 messages: the budget of the day is spent, \$0\.02 short; tried again at .*2026/);
  });

  it('says nothing of a result that is not there yet', () => {
    expect(batch({ status: 'extracting' })).toBe('2 messages');
  });
});
