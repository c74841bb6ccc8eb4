import { LLMError } from '@annals/llm-core';
import { planDeferral } from './plan-deferral.js';

const NOON = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;
const rng = { nextFloat: () => 0 };
const plan = (error: unknown, { attempts = 1, now = NOON } = {}) => planDeferral(error, { attempts, now, rng });

describe('planDeferral', () => {
  it('tries an exhausted budget again in an hour, or when the next budget day begins', () => {
    const error = new LLMError('budget_exceeded', 'x');
    expect(plan(error)).toEqual({ ends: 'deferred', reason: 'budget_exceeded', until: NOON + HOUR });
    const late = Date.UTC(2026, 0, 5, 23, 40);
    expect(plan(error, { now: late })).toMatchObject({ until: Date.UTC(2026, 0, 6) });
  });

  it('waits longer with each attempt during an outage, up to an hour', () => {
    const delays = [1, 2, 3, 8, 50].map((attempts) => {
      const planned = plan(new LLMError('transient', 'x'), { attempts });
      expect(planned?.reason).toBe('provider_unavailable');
      return planned!.until - NOON;
    });
    expect(delays).toEqual([30_000, 60_000, 120_000, HOUR, HOUR]);
  });

  it('waits for as long as the provider asks for', () => {
    const error = new LLMError('rate_limit', 'x', { retryAfterMs: 90_000 });
    expect(plan(error)).toMatchObject({ until: NOON + 90_000 });
  });

  it('leaves to the job what time does not mend', () => {
    expect(plan(new LLMError('authentication', 'x'))).toBeNull();
    expect(plan(new LLMError('invalid_request', 'x'))).toBeNull();
    expect(plan(new Error('x'))).toBeNull();
  });
});
