import { LLMError } from '@annals/llm-core';
import { planDeferral } from './plan-deferral.js';

const NOON = Date.UTC(2026, 0, 5, 12);
const HOUR = 3_600_000;
const plan = (error: unknown, { attempts = 1, now = NOON, random = 0 } = {}) =>
  planDeferral(error, { attempts, now, rng: { nextFloat: () => random } });

describe('planDeferral', () => {
  it('tries an exhausted budget again in an hour, or when the next budget day begins', () => {
    const error = new LLMError('budget_exceeded', 'x');
    expect(plan(error)).toEqual({ ends: 'deferred', reason: 'budget_exceeded', until: NOON + HOUR });
    const late = Date.UTC(2026, 0, 5, 23, 40);
    expect(plan(error, { now: late })).toMatchObject({ until: Date.UTC(2026, 0, 6) });
  });

  it('spreads what waits for a budget over a minute, or over the wait when that is shorter', () => {
    const error = new LLMError('budget_exceeded', 'x');
    expect(plan(error, { random: 0.5 })).toMatchObject({ until: NOON + HOUR + 30_000 });
    const midnight = Date.UTC(2026, 0, 6);
    expect(plan(error, { now: midnight - 10_000, random: 0.5 })).toMatchObject({ until: midnight + 5_000 });
  });

  it('waits longer with each attempt during an outage, up to an hour', () => {
    const delays = [1, 2, 3, 8, 50].map((attempts) => {
      const planned = plan(new LLMError('transient', 'x', { status: 503 }), { attempts });
      expect(planned?.reason).toBe('provider_unavailable');
      return planned!.until - NOON;
    });
    expect(delays).toEqual([30_000, 60_000, 120_000, HOUR, HOUR]);
  });

  it('waits for as long as the provider asks for', () => {
    const error = new LLMError('rate_limit', 'x', { retryAfterMs: 90_000 });
    expect(plan(error)).toMatchObject({ until: NOON + 90_000 });
  });

  it.each([
    ['a request that never arrived', new LLMError('transient', 'x', { sent: false })],
    ['a rate limit', new LLMError('rate_limit', 'x', { status: 429 })],
    ['a key that the provider refuses', new LLMError('authentication', 'x', { status: 401 })],
    ['a model that the provider does not know', new LLMError('invalid_request', 'x', { status: 404 })],
  ])('waits for as long as it takes after %s, which costs nothing', (_what, error) => {
    expect(plan(error, { attempts: 50 })).toMatchObject({ reason: 'provider_unavailable', until: NOON + HOUR });
  });

  it.each([
    ['a timeout', new LLMError('timeout', 'x')],
    ['an unusable answer', new LLMError('transient', 'x')],
    ['a gateway that timed out', new LLMError('timeout', 'x', { status: 504 })],
    ['vectors of other dimensions', new LLMError('invalid_request', 'x')],
  ])('gives up at the sixth claim after %s, which may be charged', (_what, error) => {
    expect(plan(error, { attempts: 5 })).toMatchObject({ reason: 'provider_unavailable' });
    expect(plan(error, { attempts: 6 })).toBeNull();
  });

  it('leaves to the job what time does not mend', () => {
    expect(plan(new LLMError('policy', 'x'))).toBeNull();
    expect(plan(new LLMError('invalid_request', 'x', { status: 400 }))).toBeNull();
    expect(plan(new LLMError('unknown', 'x'))).toBeNull();
    expect(plan(new Error('x'))).toBeNull();
  });
});
