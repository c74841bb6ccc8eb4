import fc from 'fast-check';
import { createInProcessCoordination } from '../in-process/create-in-process-coordination.js';
import type { AdmitOutcome, AdmitRequest, CloseOutcome, CloseRequest } from '../port/admission.js';
import type { Coordination } from '../port/coordination.js';
import { loadActive, makeReserve, makeSnapshot, NO_LIMITS } from './budget-store.contract.js';
import { using, withPolicy, type CreateCoordination } from '../fixtures/coordination.fixture.js';

const T0 = Date.UTC(2026, 10, 22);
const DAY = '2026-11-22';
const MODEL = 'claude:haiku';
const RUNS = { numRuns: 60 };
const UNLIMITED = { requestsPerMinute: null, tokensPerMinute: null };

function makeAdmit(id: string, changes: Partial<AdmitRequest> = {}): AdmitRequest {
  return {
    circuit: MODEL,
    rate: { limiter: MODEL, rateReservationId: id, tenantId: 'acme', tokens: 100, limits: UNLIMITED, now: T0 },
    budget: makeReserve({ reservationId: id }),
    ...changes,
  };
}

/** What is reserved in all parts; the rate limiter shows its usage when it is asked for one more call. */
async function readReserved({ breaker, budgets, rateLimiter }: Coordination, now: number): Promise<unknown> {
  const probe = { limiter: MODEL, rateReservationId: 'probe', tenantId: 'reader', tokens: 0, now };
  const limits = { requestsPerMinute: 1_000, tokensPerMinute: 1_000_000 };
  const { utilizationPercent } = await rateLimiter.acquire({ ...probe, limits });
  await rateLimiter.cancel(probe);
  return {
    circuit: await breaker.read(MODEL, now),
    utilizationPercent,
    usage: await budgets.read(DAY, { tenantId: 'acme', provider: 'claude' }),
    reservations: (await budgets.listReservations(DAY))?.toSorted(),
  };
}

/** The single steps that `admit` replaces, written out. */
async function admitBySteps({ breaker, rateLimiter, budgets }: Coordination, request: AdmitRequest): Promise<unknown> {
  const { circuit, rate, yieldAbovePercent = Infinity, budget } = request;
  const admission = await breaker.acquire(circuit, rate.now);
  if (!admission.admitted) return { outcome: 'refused', by: 'breaker', breaker: admission };
  const abandon = () => breaker.report(circuit, admission.reservation, 'abandoned', rate.now);
  const rateAdmission = await rateLimiter.acquire(rate);
  const answered = { breaker: admission, rate: rateAdmission };
  const refused = (by: string, more: object = {}) => ({ outcome: 'refused', by, ...answered, ...more });
  if (!rateAdmission.admitted) {
    await abandon();
    return refused('rates');
  }
  const reserved =
    rateAdmission.utilizationPercent > yieldAbovePercent ? null : budget && (await budgets.reserve(budget));
  if (reserved === undefined || reserved?.outcome === 'admitted') return { outcome: 'admitted', ...answered };
  await rateLimiter.cancel(rate);
  await abandon();
  return reserved === null ? refused('yield') : refused('budgets', { budget: reserved });
}

async function closeBySteps(parts: Coordination, request: CloseRequest): Promise<CloseOutcome> {
  const { now, breaker, rate, budget, observed } = request;
  const moved = breaker && (await parts.breaker.report(breaker.circuit, breaker.reservation, breaker.outcome, now));
  if (rate?.tokens === null) await parts.rateLimiter.cancel({ ...rate, now });
  else if (rate) await parts.rateLimiter.settle({ ...rate, tokens: rate.tokens, now });
  if (observed) await parts.rateLimiter.observe({ limiter: observed.limiter, observed: observed.limits, now });
  if (budget?.costMicroUsd === null) await parts.budgets.cancel(budget);
  const settled =
    budget && budget.costMicroUsd !== null
      ? { settled: await parts.budgets.settle({ ...budget, costMicroUsd: budget.costMicroUsd }) }
      : {};
  return { transition: moved ?? null, ...settled };
}

const step = fc.record({
  waitMs: fc.constantFrom(0, 0, 1, 400, 1_000, 1_000, 20_000),
  act: fc.constantFrom('admit', 'admit', 'admit', 'settle', 'settle', 'abandon', 'load'),
  call: fc.constantFrom(0, 0, 0, 1, 2, 6),
  tenantId: fc.constantFrom('acme', 'beta'),
  tokens: fc.nat({ max: 400 }),
  amountMicroUsd: fc.nat({ max: 80 }),
  isFree: fc.boolean(),
  epochLag: fc.constantFrom(0, 0, 0, 1),
  yieldAbovePercent: fc.constantFrom(undefined, undefined, 30),
  outcome: fc.constantFrom('success' as const, 'failure' as const, 'failure' as const, 'abandoned' as const),
  observed: fc.option(fc.nat({ max: 1_000 })),
});
const settings = fc.record({
  probesRequired: fc.integer({ min: 1, max: 2 }),
  limits: fc.record({
    requestsPerMinute: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 }),
    tokensPerMinute: fc.option(fc.integer({ min: 200, max: 2_000 }), { freq: 2 }),
  }),
  deployment: fc.option(fc.integer({ min: 50, max: 300 }), { freq: 2 }),
});

/** The contract suite of `Admission`: it does what the single steps do, in one step each way. */
export function describeAdmission(create: CreateCoordination): void {
  const onLoaded =
    (test: (coordination: Coordination) => Promise<void>, policy = withPolicy({})): (() => Promise<void>) =>
    () =>
      using(create, policy, async (coordination) => {
        await loadActive(coordination.budgets, makeSnapshot());
        await test(coordination);
      });

  it('admits and closes calls as the single steps do, in any order', async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        settings,
        fc.array(step, { minLength: 10, maxLength: 40 }),
        ({ probesRequired, limits, deployment }, steps) => {
          const policy = withPolicy({
            probesRequired,
            minAttempts: 1,
            windowMs: 5_000,
            cooldownMs: 900,
            probeLeaseMs: 1_500,
          });
          return using(create, policy, async (coordination) => {
            const reference = createInProcessCoordination({ breakerPolicy: policy });
            const admitted: { readonly request: AdmitRequest; readonly reservation: string }[] = [];
            let [now, epoch] = [T0, 1];
            for (const each of [coordination, reference]) await loadActive(each.budgets, makeSnapshot());
            for (const [
              index,
              { waitMs, act, call, tenantId, tokens, amountMicroUsd, isFree, ...of },
            ] of steps.entries()) {
              now += waitMs;
              const known = admitted.at(-1 - call);
              if (act === 'load') {
                epoch += 1;
                for (const each of [coordination, reference]) await loadActive(each.budgets, makeSnapshot({ epoch }));
              } else if (act === 'admit' || !known) {
                const id = `c${index}`;
                const budget = makeReserve({
                  reservationId: id,
                  tenantId,
                  amountMicroUsd,
                  limits: { ...NO_LIMITS, deployment },
                  epoch: epoch - of.epochLag,
                });
                const request: AdmitRequest = {
                  circuit: MODEL,
                  rate: { limiter: MODEL, rateReservationId: id, tenantId, tokens, limits, now },
                  ...(of.yieldAbovePercent !== undefined && { yieldAbovePercent: of.yieldAbovePercent }),
                  ...(!isFree && { budget }),
                };
                const answer = await coordination.admission.admit(request);
                expect(answer).toEqual(await admitBySteps(reference, request));
                reached.add(describeAnswer(answer));
                if (answer.outcome === 'admitted') admitted.push({ request, reservation: answer.breaker.reservation });
              } else {
                const isSent = act === 'settle';
                const { rate, budget } = known.request;
                const request: CloseRequest = {
                  now,
                  breaker: {
                    circuit: MODEL,
                    reservation: known.reservation,
                    outcome: isSent ? of.outcome : 'abandoned',
                  },
                  rate: { ...rate, tokens: isSent ? tokens : null },
                  ...(budget && { budget: { ...budget, costMicroUsd: isSent ? amountMicroUsd : null } }),
                  ...(of.observed !== null && {
                    observed: { limiter: MODEL, limits: { blockedUntil: now + of.observed } },
                  }),
                };
                const closed = await coordination.admission.close(request);
                expect(closed).toEqual(await closeBySteps(reference, request));
                if (closed.transition) reached.add(closed.transition.circuitState);
              }
              expect(await readReserved(coordination, now)).toEqual(await readReserved(reference, now));
            }
          });
        },
      ),
      RUNS,
    );
    // The steps are random, but not so random that an answer is never given.
    expect([...reached].toSorted()).toEqual(
      ['admitted', 'breaker', 'closed', 'open', 'rates', 'refused by budgets', 'stale', 'yield'].toSorted(),
    );
  });

  it.each([
    [
      'the circuit breaker',
      async ({ breaker }: Coordination) => {
        const admission = await breaker.acquire(MODEL, T0);
        if (admission.admitted) await breaker.report(MODEL, admission.reservation, 'failure', T0);
      },
      {},
      { by: 'breaker', breaker: { admitted: false, state: 'open', retryAt: T0 + 30_000 } },
    ],
    [
      'the rate limiter',
      async ({ rateLimiter }: Coordination) =>
        rateLimiter.observe({ limiter: MODEL, observed: { blockedUntil: T0 + 700 }, now: T0 }),
      {},
      { by: 'rates', rate: { reason: 'blocked', retryInMs: 700 } },
    ],
    [
      'a call that yields',
      async () => undefined,
      {
        yieldAbovePercent: 5,
        rate: { ...makeAdmit('a').rate, limits: { requestsPerMinute: 10, tokensPerMinute: null } },
      },
      { by: 'yield', rate: { admitted: true, utilizationPercent: 10 } },
    ],
    [
      'a budget',
      async () => undefined,
      { budget: makeReserve({ amountMicroUsd: 10, limits: { ...NO_LIMITS, tenant: 4 } }) },
      { by: 'budgets', budget: { outcome: 'refused', scope: 'tenant', limitMicroUsd: 4, shortfallMicroUsd: 6 } },
    ],
    [
      'a budget of another epoch',
      async () => undefined,
      { budget: makeReserve({ epoch: 7 }) },
      { by: 'budgets', budget: { outcome: 'stale' } },
    ],
  ] as const)('reserves nothing when refused by %s, and says why', (_name, prepare, changes, expected) =>
    onLoaded(async (coordination) => {
      await prepare(coordination);
      const { circuit } = (await readReserved(coordination, T0)) as { circuit: unknown };
      const outcome = await coordination.admission.admit(makeAdmit('a', changes));
      expect(outcome).toMatchObject({ outcome: 'refused', ...expected });
      // Read when refused tenants no longer count as waiting.
      const nothing = { spentMicroUsd: 0, reservedMicroUsd: 0 };
      expect(await readReserved(coordination, T0 + 10_000)).toEqual({
        circuit,
        utilizationPercent: 0.1,
        usage: { deployment: nothing, tenant: nothing, provider: nothing },
        reservations: [],
      });
    })(),
  );

  it(
    'returns the probe and the transition when a later part refuses',
    onLoaded(async ({ admission, breaker }) => {
      const first = await breaker.acquire(MODEL, T0);
      if (first.admitted) await breaker.report(MODEL, first.reservation, 'failure', T0);
      const later = { ...makeAdmit('a').rate, now: T0 + 30_000 };
      const refused = await admission.admit(makeAdmit('a', { rate: later, budget: makeReserve({ epoch: 9 }) }));
      expect(refused).toMatchObject({ by: 'budgets', breaker: { transition: { circuitState: 'half_open' } } });
      expect(await breaker.acquire(MODEL, T0 + 30_000)).toMatchObject({ admitted: true, state: 'half_open' });
    }),
  );

  it(
    'takes effect once when a close is repeated',
    onLoaded(async (coordination) => {
      const admitted = await coordination.admission.admit(makeAdmit('a'));
      if (admitted.outcome !== 'admitted') throw new Error('It was refused.');
      const request: CloseRequest = {
        now: T0,
        breaker: { circuit: MODEL, reservation: admitted.breaker.reservation, outcome: 'failure' },
        rate: { limiter: MODEL, rateReservationId: 'a', tokens: 40 },
        budget: { ...makeReserve({ reservationId: 'a' }), costMicroUsd: 4 },
      };
      expect(await coordination.admission.close(request)).toMatchObject({
        transition: { circuitState: 'open' },
        settled: { outcome: 'settled' },
      });
      const after = await readReserved(coordination, T0);
      expect(await coordination.admission.close(request)).toEqual({
        transition: null,
        settled: { outcome: 'unknown' },
      });
      expect(await readReserved(coordination, T0)).toEqual(after);
    }),
  );

  it(
    'rejects invalid numbers before anything is reserved or closed',
    onLoaded(async (coordination) => {
      const { admission } = coordination;
      const before = await readReserved(coordination, T0);
      const { rate } = makeAdmit('a');
      await expect(admission.admit(makeAdmit('a', { rate: { ...rate, tokens: -1 } }))).rejects.toThrow('tokens');
      const budget = makeReserve({ amountMicroUsd: 0.5 });
      await expect(admission.admit(makeAdmit('a', { budget }))).rejects.toThrow('amountMicroUsd');
      await expect(admission.close({ now: T0, rate: { ...rate, tokens: 0.5 } })).rejects.toThrow('tokens');
      await expect(admission.close({ now: T0, budget: { ...budget, costMicroUsd: -1 } })).rejects.toThrow(
        'costMicroUsd',
      );
      expect(await admission.close({ now: T0 })).toEqual({ transition: null });
      expect(await readReserved(coordination, T0)).toEqual(before);
    }),
  );
}

function describeAnswer(answer: AdmitOutcome): string {
  if (answer.outcome === 'admitted') return 'admitted';
  if (answer.by !== 'budgets') return answer.by;
  return answer.budget.outcome === 'stale' ? 'stale' : 'refused by budgets';
}
