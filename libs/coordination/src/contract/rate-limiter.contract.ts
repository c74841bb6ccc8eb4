import type { RateAdmission, RateLimiter, RateLimits, RateRequest } from '../port/rate-limiter.js';
import { using, type CreateCoordination } from './coordination.fixture.js';

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

/** Asks again when told to, as a delayed job does, until it is let in. */
async function waitForTurn(rateLimiter: RateLimiter, ask: RateRequest): Promise<number> {
  let { now } = ask;
  for (let asks = 0; asks < 1_000; asks += 1) {
    const admission = await rateLimiter.acquire({ ...ask, now });
    if (admission.admitted) return now - ask.now;
    now += admission.retryInMs;
  }
  throw new Error('It was never let in.');
}

const refusal = (admission: RateAdmission): string => (admission.admitted ? 'admitted' : admission.reason);

export function describeRateLimiter(create: CreateCoordination): void {
  const on = (test: (rateLimiter: RateLimiter) => Promise<void>) => () =>
    using(create, undefined, ({ rateLimiter }) => test(rateLimiter));

  it(
    'lets everything through without limits',
    on(async (rateLimiter) => {
      for (let index = 0; index < 200; index += 1) {
        const admission = await rateLimiter.acquire(makeRequest({ limits: UNLIMITED }));
        expect(admission).toEqual({ admitted: true, utilizationPercent: 0 });
      }
    }),
  );

  it(
    'lets calls through freely up to 80 % and paces the rest of the minute',
    on(async (rateLimiter) => {
      const limits = { requestsPerMinute: 50, tokensPerMinute: null };
      for (let index = 0; index < 40; index += 1) {
        expect(refusal(await rateLimiter.acquire(makeRequest({ limits })))).toBe('admitted');
      }
      const paced = await rateLimiter.acquire(makeRequest({ limits }));
      // Ten calls fit into the 60 s until the first reservation leaves; one of them is kept for a tenant that had none.
      expect(paced).toEqual({ admitted: false, reason: 'pace', retryInMs: 6_667, utilizationPercent: 82 });
      expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 6_666 })))).toBe('pace');
      expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 6_667 })))).toBe('admitted');
      expect(refusal(await rateLimiter.acquire(makeRequest({ limits, now: T0 + 6_668 })))).toBe('pace');
    }),
  );

  it(
    'paces a flood from its beginning on and never passes the limit in any minute',
    on(async (rateLimiter) => {
      const limits = { requestsPerMinute: 60, tokensPerMinute: null };
      const admittedAt: number[] = [];
      for (let now = T0; now < T0 + 180_000; now += 250) {
        for (let ask = 0; ask < 2; ask += 1) {
          if ((await rateLimiter.acquire(makeRequest({ limits, now, rateReservationId: `f${now}.${ask}` }))).admitted)
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
    'counts what a call really used once it is known',
    on(async (rateLimiter) => {
      const ask = makeRequest({ tokens: 39_000 });
      await rateLimiter.acquire(ask);
      const next = makeRequest({ tenantId: 'beta', tokens: 2_000, now: T0 + 1_000 });
      expect(await rateLimiter.acquire(next)).toMatchObject({ admitted: false, reason: 'tokens', retryInMs: 59_001 });
      await rateLimiter.settle({ ...ask, tokens: 3_000 });
      await rateLimiter.settle({ ...ask, tokens: 3_000 });
      expect(refusal(await rateLimiter.acquire({ ...next, tokens: 37_001 }))).toBe('tokens');
      expect(refusal(await rateLimiter.acquire({ ...next, tokens: 37_000 }))).toBe('admitted');
    }),
  );

  it(
    'forgets a cancelled call, and ignores reservations it does not know',
    on(async (rateLimiter) => {
      const ask = makeRequest({ tokens: 40_000 });
      await rateLimiter.acquire(ask);
      await rateLimiter.cancel(ask);
      await rateLimiter.cancel(ask);
      await rateLimiter.settle({ ...ask, tokens: 40_000 });
      expect(refusal(await rateLimiter.acquire(makeRequest({ tokens: 40_000 })))).toBe('admitted');
    }),
  );

  it(
    'answers a repeated reservation without counting it twice',
    on(async (rateLimiter) => {
      const ask = makeRequest({ tokens: 20_000 });
      for (let time = 0; time < 3; time += 1) expect(refusal(await rateLimiter.acquire(ask))).toBe('admitted');
      expect(refusal(await rateLimiter.acquire(makeRequest({ tenantId: 'beta', tokens: 20_000 })))).toBe('admitted');
    }),
  );

  it.each([
    [60_000, 'tokens'],
    [60_001, 'admitted'],
  ])('%s ms later the minute of a call: %s', (age, expected) =>
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

  describe("the provider's word", () => {
    it(
      'blocks until the time of a 429 and no later',
      on(async (rateLimiter) => {
        await rateLimiter.observe({ limiter: LIMITER, observed: { blockedUntil: T0 + 7_000 }, now: T0 });
        await rateLimiter.observe({ limiter: LIMITER, observed: { blockedUntil: T0 + 3_000 }, now: T0 });
        const ask = makeRequest({ limits: UNLIMITED });
        expect(await rateLimiter.acquire(ask)).toMatchObject({ reason: 'blocked', retryInMs: 7_000 });
        expect(refusal(await rateLimiter.acquire({ ...ask, now: T0 + 6_999 }))).toBe('blocked');
        expect(refusal(await rateLimiter.acquire({ ...ask, now: T0 + 7_000 }))).toBe('admitted');
      }),
    );

    it(
      'lowers the limit until its reset',
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
      'never raises what is configured',
      on(async (rateLimiter) => {
        const tokens = { limit: 1_000_000, remaining: 1_000_000, resetAt: T0 + 20_000 };
        await rateLimiter.observe({ limiter: LIMITER, observed: { tokens }, now: T0 });
        await rateLimiter.acquire(makeRequest({ tokens: 39_000 }));
        expect(refusal(await rateLimiter.acquire(makeRequest({ tenantId: 'b', tokens: 1_001 })))).toBe('tokens');
      }),
    );

    it(
      'admits what is left, as it refills, and not more',
      on(async (rateLimiter) => {
        const requests = { limit: 50, remaining: 0, resetAt: T0 + 60_000 };
        await rateLimiter.observe({ limiter: LIMITER, observed: { requests }, now: T0 });
        const ask = makeRequest({ limits: UNLIMITED });
        expect(await rateLimiter.acquire(ask)).toMatchObject({ reason: 'requests', retryInMs: 1_200 });
        expect(refusal(await rateLimiter.acquire({ ...ask, now: T0 + 1_200 }))).toBe('admitted');
        expect(refusal(await rateLimiter.acquire(makeRequest({ limits: UNLIMITED, now: T0 + 1_200 })))).toBe(
          'requests',
        );
      }),
    );

    it(
      'does not let an older word replace a newer one',
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
      'keeps the room that a waiting tenant with less needs',
      on(async (rateLimiter) => {
        await rateLimiter.acquire(makeRequest({ tokens: 25_000 }));
        const waiting = makeRequest({ tenantId: 'beta', tokens: 20_000 });
        expect(refusal(await rateLimiter.acquire(waiting))).toBe('tokens');
        expect(refusal(await rateLimiter.acquire(makeRequest({ tokens: 100, now: T0 + 1_000 })))).toBe('share');
        expect(refusal(await rateLimiter.acquire({ ...waiting, now: T0 + 60_001 }))).toBe('admitted');
      }),
    );

    it(
      'forgets a waiting tenant that does not come back',
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
      "lets a tenant's single batch in within 5 s beside a flood of 10 000, at %j and %s tokens a call",
      (limits, tokens) =>
        on(async (rateLimiter) => {
          let asked = 0;
          let longestMs = 0;
          // The flood asks all the time; every 20 s another tenant comes with one batch.
          for (let now = T0; now < T0 + 150_000; now += 30) {
            await rateLimiter.acquire(
              makeRequest({
                tenantId: 'flood',
                limits,
                tokens,
                now,
                rateReservationId: `flood${(asked += 1) % 10_000}`,
              }),
            );
            if ((now - T0) % 20_000 === 10_020) {
              const waited = await waitForTurn(
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
    'refuses numbers that are none',
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
