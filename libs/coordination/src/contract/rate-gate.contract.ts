import type { RateAdmission, RateGate, RateLimits, RateRequest } from '../port/rate-gate.js';
import { using, type CreateCoordination } from './coordination-place.contract.js';

const T0 = Date.UTC(2026, 10, 22);
const GATE = 'claude:claude-haiku-5-5';
const UNLIMITED: RateLimits = { requestsPerMinute: null, tokensPerMinute: null };

let tickets = 0;

function makeAsk(changes: Partial<RateRequest> = {}): RateRequest {
  tickets += 1;
  return {
    gate: GATE,
    ticketId: `t${tickets}`,
    tenantId: 'acme',
    tokens: 1_000,
    limits: { requestsPerMinute: null, tokensPerMinute: 40_000 },
    now: T0,
    ...changes,
  };
}

/** Asks again when told to, as a gated job does, until it is let in. */
async function waitForTurn(rates: RateGate, ask: RateRequest): Promise<number> {
  let { now } = ask;
  for (let asks = 0; asks < 1_000; asks += 1) {
    const admission = await rates.acquire({ ...ask, now });
    if (admission.admitted) return now - ask.now;
    now += admission.retryInMs;
  }
  throw new Error('It was never let in.');
}

const refusal = (admission: RateAdmission): string => (admission.admitted ? 'admitted' : admission.reason);

export function describeRateGate(create: CreateCoordination): void {
  const on = (test: (rates: RateGate) => Promise<void>) => () => using(create, undefined, ({ rates }) => test(rates));

  it(
    'lets everything through without limits',
    on(async (rates) => {
      for (let index = 0; index < 200; index += 1) {
        const admission = await rates.acquire(makeAsk({ limits: UNLIMITED }));
        expect(admission).toEqual({ admitted: true, utilizationPercent: 0 });
      }
    }),
  );

  it(
    'lets calls through freely up to 80 % and paces the rest of the minute',
    on(async (rates) => {
      const limits = { requestsPerMinute: 50, tokensPerMinute: null };
      for (let index = 0; index < 40; index += 1) {
        expect(refusal(await rates.acquire(makeAsk({ limits })))).toBe('admitted');
      }
      const paced = await rates.acquire(makeAsk({ limits }));
      // Ten calls fit into the 60 s until the first ticket leaves; one of them is kept for a tenant that had none.
      expect(paced).toEqual({ admitted: false, reason: 'pace', retryInMs: 6_667, utilizationPercent: 82 });
      expect(refusal(await rates.acquire(makeAsk({ limits, now: T0 + 6_666 })))).toBe('pace');
      expect(refusal(await rates.acquire(makeAsk({ limits, now: T0 + 6_667 })))).toBe('admitted');
      expect(refusal(await rates.acquire(makeAsk({ limits, now: T0 + 6_668 })))).toBe('pace');
    }),
  );

  it(
    'paces a flood from its beginning on and never passes the limit in any minute',
    on(async (rates) => {
      const limits = { requestsPerMinute: 60, tokensPerMinute: null };
      const admittedAt: number[] = [];
      for (let now = T0; now < T0 + 180_000; now += 250) {
        for (let ask = 0; ask < 2; ask += 1) {
          if ((await rates.acquire(makeAsk({ limits, now, ticketId: `f${now}.${ask}` }))).admitted)
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
    on(async (rates) => {
      const ask = makeAsk({ tokens: 39_000 });
      await rates.acquire(ask);
      const next = makeAsk({ tenantId: 'beta', tokens: 2_000, now: T0 + 1_000 });
      expect(await rates.acquire(next)).toMatchObject({ admitted: false, reason: 'tokens', retryInMs: 59_001 });
      await rates.settle({ ...ask, tokens: 3_000 });
      await rates.settle({ ...ask, tokens: 3_000 });
      expect(refusal(await rates.acquire({ ...next, tokens: 37_001 }))).toBe('tokens');
      expect(refusal(await rates.acquire({ ...next, tokens: 37_000 }))).toBe('admitted');
    }),
  );

  it(
    'forgets a cancelled call, and ignores tickets it does not know',
    on(async (rates) => {
      const ask = makeAsk({ tokens: 40_000 });
      await rates.acquire(ask);
      await rates.cancel(ask);
      await rates.cancel(ask);
      await rates.settle({ ...ask, tokens: 40_000 });
      expect(refusal(await rates.acquire(makeAsk({ tokens: 40_000 })))).toBe('admitted');
    }),
  );

  it(
    'answers a repeated ticket without counting it twice',
    on(async (rates) => {
      const ask = makeAsk({ tokens: 20_000 });
      for (let time = 0; time < 3; time += 1) expect(refusal(await rates.acquire(ask))).toBe('admitted');
      expect(refusal(await rates.acquire(makeAsk({ tenantId: 'beta', tokens: 20_000 })))).toBe('admitted');
    }),
  );

  it.each([
    [60_000, 'tokens'],
    [60_001, 'admitted'],
  ])('%s ms later the minute of a call: %s', (age, expected) =>
    on(async (rates) => {
      await rates.acquire(makeAsk({ tokens: 40_000 }));
      expect(refusal(await rates.acquire(makeAsk({ tokens: 40_000, now: T0 + age })))).toBe(expected);
    })(),
  );

  it(
    'admits a call bigger than the limit alone, when the window is empty',
    on(async (rates) => {
      expect(refusal(await rates.acquire(makeAsk({ tokens: 90_000 })))).toBe('admitted');
      const second = makeAsk({ tokens: 90_000 });
      expect(await rates.acquire(second)).toMatchObject({ reason: 'tokens', retryInMs: 60_001 });
      expect(refusal(await rates.acquire(makeAsk({ tokens: 1 })))).toBe('tokens');
      expect(refusal(await rates.acquire({ ...second, now: T0 + 60_001 }))).toBe('admitted');
    }),
  );

  describe("the provider's word", () => {
    it(
      'blocks until the time of a 429 and no later',
      on(async (rates) => {
        await rates.observe({ gate: GATE, observed: { blockedUntil: T0 + 7_000 }, now: T0 });
        await rates.observe({ gate: GATE, observed: { blockedUntil: T0 + 3_000 }, now: T0 });
        const ask = makeAsk({ limits: UNLIMITED });
        expect(await rates.acquire(ask)).toMatchObject({ reason: 'blocked', retryInMs: 7_000 });
        expect(refusal(await rates.acquire({ ...ask, now: T0 + 6_999 }))).toBe('blocked');
        expect(refusal(await rates.acquire({ ...ask, now: T0 + 7_000 }))).toBe('admitted');
      }),
    );

    it(
      'lowers the limit until its reset',
      on(async (rates) => {
        const tokens = { limit: 10_000, remaining: 10_000, resetAt: T0 + 20_000 };
        await rates.observe({ gate: GATE, observed: { tokens }, now: T0 });
        await rates.acquire(makeAsk({ tokens: 6_000 }));
        expect(refusal(await rates.acquire(makeAsk({ tenantId: 'b', tokens: 6_000, now: T0 + 19_999 })))).toBe(
          'tokens',
        );
        expect(refusal(await rates.acquire(makeAsk({ tenantId: 'b', tokens: 6_000, now: T0 + 20_000 })))).toBe(
          'admitted',
        );
      }),
    );

    it(
      'never raises what is configured',
      on(async (rates) => {
        const tokens = { limit: 1_000_000, remaining: 1_000_000, resetAt: T0 + 20_000 };
        await rates.observe({ gate: GATE, observed: { tokens }, now: T0 });
        await rates.acquire(makeAsk({ tokens: 39_000 }));
        expect(refusal(await rates.acquire(makeAsk({ tenantId: 'b', tokens: 1_001 })))).toBe('tokens');
      }),
    );

    it(
      'admits what is left, as it refills, and not more',
      on(async (rates) => {
        const requests = { limit: 50, remaining: 0, resetAt: T0 + 60_000 };
        await rates.observe({ gate: GATE, observed: { requests }, now: T0 });
        const ask = makeAsk({ limits: UNLIMITED });
        expect(await rates.acquire(ask)).toMatchObject({ reason: 'requests', retryInMs: 1_200 });
        expect(refusal(await rates.acquire({ ...ask, now: T0 + 1_200 }))).toBe('admitted');
        expect(refusal(await rates.acquire(makeAsk({ limits: UNLIMITED, now: T0 + 1_200 })))).toBe('requests');
      }),
    );

    it(
      'does not let an older word replace a newer one',
      on(async (rates) => {
        const observe = (remaining: number, now: number): Promise<void> =>
          rates.observe({ gate: GATE, observed: { tokens: { limit: 100, remaining, resetAt: now + 9_000 } }, now });
        await observe(5, T0 + 10);
        await observe(90, T0);
        expect(refusal(await rates.acquire(makeAsk({ limits: UNLIMITED, tokens: 50, now: T0 + 10 })))).toBe('tokens');
      }),
    );
  });

  describe('fairness between tenants', () => {
    it(
      'keeps the room that a waiting tenant with less needs',
      on(async (rates) => {
        await rates.acquire(makeAsk({ tokens: 25_000 }));
        const waiting = makeAsk({ tenantId: 'beta', tokens: 20_000 });
        expect(refusal(await rates.acquire(waiting))).toBe('tokens');
        expect(refusal(await rates.acquire(makeAsk({ tokens: 100, now: T0 + 1_000 })))).toBe('share');
        expect(refusal(await rates.acquire({ ...waiting, now: T0 + 60_001 }))).toBe('admitted');
      }),
    );

    it(
      'forgets a waiting tenant that does not come back',
      on(async (rates) => {
        const limits = { requestsPerMinute: 10, tokensPerMinute: null };
        await rates.observe({ gate: GATE, observed: { blockedUntil: T0 + 100 }, now: T0 });
        expect(refusal(await rates.acquire(makeAsk({ tenantId: 'beta', limits })))).toBe('blocked');
        for (let index = 0; index < 8; index += 1) await rates.acquire(makeAsk({ limits, now: T0 + 100 }));
        expect(refusal(await rates.acquire(makeAsk({ limits, now: T0 + 5_099 })))).toBe('share');
        expect(refusal(await rates.acquire(makeAsk({ limits, now: T0 + 5_100 })))).toBe('pace');
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
        on(async (rates) => {
          let asked = 0;
          let longestMs = 0;
          // The flood asks all the time; every 20 s another tenant comes with one batch.
          for (let now = T0; now < T0 + 150_000; now += 30) {
            await rates.acquire(
              makeAsk({ tenantId: 'flood', limits, tokens, now, ticketId: `flood${(asked += 1) % 10_000}` }),
            );
            if ((now - T0) % 20_000 === 10_020) {
              const waited = await waitForTurn(rates, makeAsk({ tenantId: `single${now}`, limits, tokens, now }));
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
    on(async (rates) => {
      await expect(rates.acquire(makeAsk({ tokens: -1 }))).rejects.toThrow('tokens');
      await expect(rates.acquire(makeAsk({ limits: { ...UNLIMITED, requestsPerMinute: 0 } }))).rejects.toThrow(
        'requestsPerMinute must be above 0',
      );
      await expect(rates.settle({ gate: GATE, ticketId: 'x', tokens: 0.5, now: T0 })).rejects.toThrow('tokens');
    }),
  );
}
