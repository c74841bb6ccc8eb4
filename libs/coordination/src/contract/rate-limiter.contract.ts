import type { RateAdmission, RateLimiter, RateLimits, RateRequest } from '../port/rate-limiter.js';
import { using, type CreateCoordination } from '../fixtures/coordination.fixture.js';

const T0 = Date.UTC(2026, 10, 22);
const LIMITER = 'claude:claude-haiku-5-5';
const UNLIMITED: RateLimits = { requestsPerMinute: null, tokensPerMinute: null };

let reservations = 0;

function makeRequest(changes: Partial<RateRequest> = {}): RateRequest {
  reservations += 1;
  return {
    limiter: LIMITER,
    rateReservationId: `t${reservations}`,
    tenantId: 'acme',
    tokens: 1_000,
    limits: { requestsPerMinute: null, tokensPerMinute: 40_000 },
    now: T0,
    ...changes,
  };
}

/** Retries after `retryInMs`, as a delayed job does, until it is admitted. Returns the time waited in ms. */
async function waitForAdmission(rateLimiter: RateLimiter, rateRequest: RateRequest): Promise<number> {
  let { now } = rateRequest;
  for (let attempts = 0; attempts < 1_000; attempts += 1) {
    const admission = await rateLimiter.acquire({ ...rateRequest, now });
    if (admission.admitted) return now - rateRequest.now;
    now += admission.retryInMs;
  }
  throw new Error('The request was never admitted.');
}

const refusal = (admission: RateAdmission): string => (admission.admitted ? 'admitted' : admission.reason);

export function describeRateLimiter(create: CreateCoordination): void {
  const on = (test: (rateLimiter: RateLimiter) => Promise<void>) => () =>
    using(create, undefined, ({ rateLimiter }) => test(rateLimiter));

  it(
    'admits everything without limits',
    on(async (rateLimiter) => {
      for (let index = 0; index < 200; index += 1) {
        const admission = await rateLimiter.acquire(makeRequest({ limits: UNLIMITED }));
        expect(admission).toEqual({ admitted: true, utilizationPercent: 0 });
      }
    }),
  );

  it(
    'admits calls without delay up to 80 % and paces the rest of the minute',
    on(async (rateLimiter) => {
      const limits = { requestsPerMinute: 50, tokensPerMinute: null };
      for (let index = 0; index < 40; index += 1) {
        expect(refusal(await rateLimiter.acquire(makeRequest({ limits })))).toBe('admitted');
      }
      const paced = await rateLimiter.acquire(makeRequest({ limits }));
      // Ten calls fit into the 60 s until the first reservation leaves; one is reserved for a tenant that had none.
      expect(paced).toEqual({ admitted: false, reason: 'pace', retryInMs: 6_667, utilizationPercent: 82 });
      expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 6_666 })))).toBe('pace');
      expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 6_667 })))).toBe('admitted');
      expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 6_668 })))).toBe('pace');
    }),
  );

  it(
    'paces a flood from its beginning and never exceeds the limit in any minute',
    on(async (rateLimiter) => {
      const limits = { requestsPerMinute: 60, tokensPerMinute: null };
      const admittedAt: number[] = [];
      for (let now = T0; now < T0 + 180_000; now += 250) {
        for (let repeat = 0; repeat < 2; repeat += 1) {
          if (
            (await rateLimiter.acquire(makeRequest({ limits, now, rateReservationId: `f${now}.${repeat}` }))).admitted
          )
            admittedAt.push(now);
        }
      }
      const fullest = Math.max(
        ...admittedAt.map((end) => admittedAt.filter((at) => at <= end && at >= end - 60_000).length),
      );
      expect(fullest).toBeLessThanOrEqual(60);
      expect(admittedAt.length).toBeGreaterThan(150);
    }),
  );

  it(
    'counts the actual tokens of a call once they are known',
    on(async (rateLimiter) => {
      const rateRequest = makeRequest({ tokens: 39_000 });
      await rateLimiter.acquire(rateRequest);
      const next = makeRequest({ tenantId: 'beta', tokens: 2_000, now: T0 + 1_000 });
      expect(await rateLimiter.acquire(next)).toMatchObject({ admitted: false, reason: 'tokens', retryInMs: 59_001 });
      await rateLimiter.settle({ ...rateRequest, tokens: 3_000 });
      await rateLimiter.settle({ ...rateRequest, tokens: 3_000 });
      expect(refusal(await rateLimiter.acquire({ ...next, tokens: 37_001 }))).toBe('tokens');
      expect(refusal(await rateLimiter.acquire({ ...next, tokens: 37_000 }))).toBe('admitted');
    }),
  );

  it(
    'removes a cancelled call and ignores unknown reservations',
    on(async (rateLimiter) => {
      const rateRequest = makeRequest({ tokens: 40_000 });
      await rateLimiter.acquire(rateRequest);
      await rateLimiter.cancel(rateRequest);
      await rateLimiter.cancel(rateRequest);
      await rateLimiter.settle({ ...rateRequest, tokens: 40_000 });
      expect(refusal(await rateLimiter.acquire(makeRequest({ tokens: 40_000 })))).toBe('admitted');
    }),
  );

  it(
    'admits a repeated reservation without counting it twice',
    on(async (rateLimiter) => {
      const rateRequest = makeRequest({ tokens: 20_000 });
      for (let time = 0; time < 3; time += 1) expect(refusal(await rateLimiter.acquire(rateRequest))).toBe('admitted');
      expect(refusal(await rateLimiter.acquire(makeRequest({ tenantId: 'beta', tokens: 20_000 })))).toBe('admitted');
    }),
  );

  it.each([
    [60_000, 'tokens'],
    [60_001, 'admitted'],
  ])('%s ms after a call that used up the limit: %s', (age, expected) =>
    on(async (rateLimiter) => {
      await rateLimiter.acquire(makeRequest({ tokens: 40_000 }));
      expect(refusal(await rateLimiter.acquire(makeRequest({ tokens: 40_000, now: T0 + age })))).toBe(expected);
    })(),
  );

  it(
    'admits a call bigger than the limit alone, when the window is empty',
    on(async (rateLimiter) => {
      expect(refusal(await rateLimiter.acquire(makeRequest({ tokens: 90_000 })))).toBe('admitted');
      const second = makeRequest({ tokens: 90_000 });
      expect(await rateLimiter.acquire(second)).toMatchObject({ reason: 'tokens', retryInMs: 60_001 });
      expect(refusal(await rateLimiter.acquire(makeRequest({ tokens: 1 })))).toBe('tokens');
      expect(refusal(await rateLimiter.acquire({ ...second, now: T0 + 60_001 }))).toBe('admitted');
    }),
  );

  describe('reported limits', () => {
    it(
      'block until the time given by a 429 and no longer',
      on(async (rateLimiter) => {
        await rateLimiter.observe({ limiter: LIMITER, observed: { blockedUntil: T0 + 7_000 }, now: T0 });
        await rateLimiter.observe({ limiter: LIMITER, observed: { blockedUntil: T0 + 3_000 }, now: T0 });
        const rateRequest = makeRequest({ limits: UNLIMITED });
        expect(await rateLimiter.acquire(rateRequest)).toMatchObject({ reason: 'blocked', retryInMs: 7_000 });
        expect(refusal(await rateLimiter.acquire({ ...rateRequest, now: T0 + 6_999 }))).toBe('blocked');
        expect(refusal(await rateLimiter.acquire({ ...rateRequest, now: T0 + 7_000 }))).toBe('admitted');
      }),
    );

    it(
      'lower the limit until their reset',
      on(async (rateLimiter) => {
        const tokens = { limit: 10_000, remaining: 10_000, resetAt: T0 + 20_000 };
        await rateLimiter.observe({ limiter: LIMITER, observed: { tokens }, now: T0 });
        await rateLimiter.acquire(makeRequest({ tokens: 6_000 }));
        expect(
          refusal(await rateLimiter.acquire(makeRequest({ tenantId: 'b', tokens: 6_000, now: T0 + 19_999 }))),
        ).toBe('tokens');
        expect(
          refusal(await rateLimiter.acquire(makeRequest({ tenantId: 'b', tokens: 6_000, now: T0 + 20_000 }))),
        ).toBe('admitted');
      }),
    );

    it(
      'never raise the configured limit',
      on(async (rateLimiter) => {
        const tokens = { limit: 1_000_000, remaining: 1_000_000, resetAt: T0 + 20_000 };
        await rateLimiter.observe({ limiter: LIMITER, observed: { tokens }, now: T0 });
        await rateLimiter.acquire(makeRequest({ tokens: 39_000 }));
        expect(refusal(await rateLimiter.acquire(makeRequest({ tenantId: 'b', tokens: 1_001 })))).toBe('tokens');
      }),
    );

    it(
      'admit the remaining capacity as it refills, and no more',
      on(async (rateLimiter) => {
        const requests = { limit: 50, remaining: 0, resetAt: T0 + 60_000 };
        await rateLimiter.observe({ limiter: LIMITER, observed: { requests }, now: T0 });
        const rateRequest = makeRequest({ limits: UNLIMITED });
        expect(await rateLimiter.acquire(rateRequest)).toMatchObject({ reason: 'requests', retryInMs: 1_200 });
        expect(refusal(await rateLimiter.acquire({ ...rateRequest, now: T0 + 1_200 }))).toBe('admitted');
        expect(refusal(await rateLimiter.acquire(makeRequest({ limits: UNLIMITED, now: T0 + 1_200 })))).toBe(
          'requests',
        );
      }),
    );

    it(
      'are not replaced by older ones',
      on(async (rateLimiter) => {
        const observe = (remaining: number, now: number): Promise<void> =>
          rateLimiter.observe({
            limiter: LIMITER,
            observed: { tokens: { limit: 100, remaining, resetAt: now + 9_000 } },
            now,
          });
        await observe(5, T0 + 10);
        await observe(90, T0);
        expect(refusal(await rateLimiter.acquire(makeRequest({ limits: UNLIMITED, tokens: 50, now: T0 + 10 })))).toBe(
          'tokens',
        );
      }),
    );
  });

  describe('fairness between tenants', () => {
    it(
      'reserves the capacity that a waiting tenant with less usage needs',
      on(async (rateLimiter) => {
        await rateLimiter.acquire(makeRequest({ tokens: 25_000 }));
        const waiting = makeRequest({ tenantId: 'beta', tokens: 20_000 });
        expect(refusal(await rateLimiter.acquire(waiting))).toBe('tokens');
        expect(refusal(await rateLimiter.acquire(makeRequest({ tokens: 100, now: T0 + 1_000 })))).toBe('share');
        expect(refusal(await rateLimiter.acquire({ ...waiting, now: T0 + 60_001 }))).toBe('admitted');
      }),
    );

    it(
      'drops a waiting tenant that does not retry',
      on(async (rateLimiter) => {
        const limits = { requestsPerMinute: 10, tokensPerMinute: null };
        await rateLimiter.observe({ limiter: LIMITER, observed: { blockedUntil: T0 + 100 }, now: T0 });
        expect(refusal(await rateLimiter.acquire(makeRequest({ tenantId: 'beta', limits })))).toBe('blocked');
        for (let index = 0; index < 8; index += 1) await rateLimiter.acquire(makeRequest({ limits, now: T0 + 100 }));
        expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 5_099 })))).toBe('share');
        expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 5_100 })))).toBe('pace');
      }),
    );

    it.each([
      [{ requestsPerMinute: 50, tokensPerMinute: 40_000 }, 1_000],
      [{ requestsPerMinute: 50, tokensPerMinute: 40_000 }, 6_500],
      [{ requestsPerMinute: 5, tokensPerMinute: null }, 1_000],
      [{ requestsPerMinute: null, tokensPerMinute: 40_000 }, 1_000],
    ])(
      'admits the single batch of a tenant within 5 s during a flood of 10 000, at %j and %s tokens a call',
      (limits, tokens) =>
        on(async (rateLimiter) => {
          let requested = 0;
          let longestMs = 0;
          // The flood sends requests all the time; every 20 s another tenant sends one batch.
          for (let now = T0; now < T0 + 150_000; now += 30) {
            await rateLimiter.acquire(
              makeRequest({
                tenantId: 'flood',
                limits,
                tokens,
                now,
                rateReservationId: `flood${(requested += 1) % 10_000}`,
              }),
            );
            if ((now - T0) % 20_000 === 10_020) {
              const waited = await waitForAdmission(
                rateLimiter,
                makeRequest({ tenantId: `single${now}`, limits, tokens, now }),
              );
              longestMs = Math.max(longestMs, waited);
              now += waited;
            }
          }
          expect(longestMs).toBeLessThanOrEqual(5_000);
        })(),
    );
  });

  it(
    'rejects invalid numbers',
    on(async (rateLimiter) => {
      await expect(rateLimiter.acquire(makeRequest({ tokens: -1 }))).rejects.toThrow('tokens');
      await expect(
        rateLimiter.acquire(makeRequest({ limits: { ...UNLIMITED, requestsPerMinute: 0 } })),
      ).rejects.toThrow('requestsPerMinute must be above 0');
      await expect(
        rateLimiter.settle({ limiter: LIMITER, rateReservationId: 'x', tokens: 0.5, now: T0 }),
      ).rejects.toThrow('tokens');
    }),
  );
}
