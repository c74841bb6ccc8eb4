import fc from 'fast-check';
import { createInProcessCoordination } from '../in-process/create-in-process-coordination.js';
import { budgetSteps, BudgetModel, runStep } from '../fixtures/budget-model.fixture.js';
import { loadActive } from './budget-store.contract.js';
import { using, withPolicy, type CreateCoordination } from '../fixtures/coordination.fixture.js';

const T0 = Date.UTC(2026, 10, 22);
const RUNS = { numRuns: 150 };

/** Property tests: random steps compared with the reference model and with the in-process implementation. */
export function describeRules(create: CreateCoordination): void {
  it('counts budgets like the model and the in-process implementation, in any order of steps', async () => {
    await fc.assert(
      fc.asyncProperty(budgetSteps, (steps) =>
        using(create, undefined, async ({ budgets }) => {
          const model = new BudgetModel();
          const inProcess = createInProcessCoordination().budgets;
          for (const step of steps) {
            const [result, expected] = [await runStep(budgets, step), await runStep(inProcess, step)];
            expect(result).toEqual(expected);
            expect(describeResult(result)).toBe(model.apply(step));
          }
          expect(await budgets.read('2026-11-22', { tenantId: 'acme', provider: 'openai' })).toEqual({
            deployment: model.usage('deployment'),
            tenant: model.usage('tenant:acme'),
            provider: model.usage('provider:openai'),
          });
        }),
      ),
      RUNS,
    );
  });

  it('never lets reservations plus spend exceed a shared limit under concurrent calls', async () => {
    const amounts = fc.array(fc.nat({ max: 60 }), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(amounts, (requested) =>
        using(create, undefined, async ({ budgets }) => {
          const day = '2026-11-22';
          const limits = { deployment: 200, tenant: 100, provider: null };
          await loadActive(budgets, {
            day,
            epoch: 1,
            spentByTenant: new Map(),
            spentByProvider: new Map(),
            reservations: [],
          });
          await Promise.all(
            requested.map(async (amountMicroUsd, index) => {
              const reservation = { reservationId: `r${index}`, day, tenantId: `t${index % 3}`, provider: 'claude' };
              const { outcome } = await budgets.reserve({ ...reservation, amountMicroUsd, limits, epoch: 1 });
              if (outcome === 'admitted' && index % 2)
                await budgets.settle({ ...reservation, costMicroUsd: amountMicroUsd });
            }),
          );
          for (const tenantId of ['t0', 't1', 't2']) {
            const { deployment, tenant } = (await budgets.read(day, { tenantId })) ?? {};
            expect((deployment?.spentMicroUsd ?? 201) + (deployment?.reservedMicroUsd ?? 0)).toBeLessThanOrEqual(200);
            expect((tenant?.spentMicroUsd ?? 101) + (tenant?.reservedMicroUsd ?? 0)).toBeLessThanOrEqual(100);
          }
        }),
      ),
      RUNS,
    );
  });

  it('changes a circuit as the in-process implementation does', async () => {
    const step = fc.record({
      waitMs: fc.constantFrom(0, 0, 1, 400, 1_000, 3_000, 30_000),
      report: fc.option(fc.nat({ max: 9 })),
      outcome: fc.constantFrom('success' as const, 'failure' as const, 'abandoned' as const),
    });
    const policy = fc.record({
      probesRequired: fc.integer({ min: 1, max: 3 }),
      minAttempts: fc.integer({ min: 1, max: 4 }),
      windowSize: fc.integer({ min: 1, max: 5 }),
      windowMs: fc.constantFrom(1_000, 5_000),
      cooldownMs: fc.constantFrom(500, 1_000),
      probeLeaseMs: fc.constantFrom(800, 4_000),
    });
    await fc.assert(
      fc.asyncProperty(policy, fc.array(step, { maxLength: 60 }), (changes, steps) =>
        using(create, withPolicy(changes), async ({ breaker }) => {
          const reference = createInProcessCoordination({ breakerPolicy: withPolicy(changes) }).breaker;
          const reservations: string[] = [];
          let now = T0;
          for (const { waitMs, report, outcome } of steps) {
            now += waitMs;
            expect(await breaker.read('c', now)).toEqual(await reference.read('c', now));
            const reservation = report === null ? undefined : reservations.at(-1 - report);
            if (reservation !== undefined) {
              expect(await breaker.report('c', reservation, outcome, now)).toEqual(
                await reference.report('c', reservation, outcome, now),
              );
              continue;
            }
            const admission = await breaker.acquire('c', now);
            expect(admission).toEqual(await reference.acquire('c', now));
            if (admission.admitted) reservations.push(admission.reservation);
          }
        }),
      ),
      RUNS,
    );
  });

  it('paces calls as the in-process implementation does, never above a limit', async () => {
    const step = fc.record({
      waitMs: fc.constantFrom(0, 0, 7, 300, 2_500, 20_000),
      act: fc.constantFrom('acquire', 'acquire', 'acquire', 'acquire', 'settle', 'cancel', 'observe'),
      tenantId: fc.constantFrom('a', 'b', 'c'),
      tokens: fc.nat({ max: 600 }),
      reservation: fc.nat({ max: 12 }),
    });
    const limits = fc.record({
      requestsPerMinute: fc.option(fc.integer({ min: 1, max: 12 })),
      tokensPerMinute: fc.option(fc.integer({ min: 200, max: 3_000 })),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), (bounds, steps) =>
        using(create, undefined, async ({ rateLimiter }) => {
          const reference = createInProcessCoordination().rateLimiter;
          const admittedAt = new Map<string, number>();
          let now = T0;
          for (const [index, { waitMs, act, tenantId, tokens, reservation }] of steps.entries()) {
            now += waitMs;
            const rateReservationId =
              act === 'acquire' ? `t${index}` : ([...admittedAt.keys()].at(-1 - reservation) ?? 'unknown');
            const known = { limiter: 'g', rateReservationId, tokens, now };
            if (act === 'acquire') {
              const request = { ...known, tenantId, limits: bounds };
              const admission = await rateLimiter.acquire(request);
              expect(admission).toEqual(await reference.acquire(request));
              if (admission.admitted) admittedAt.set(rateReservationId, now);
              else expect(admission.retryInMs).toBeGreaterThanOrEqual(50);
              const recent = [...admittedAt.values()].filter((at) => now - at <= 60_000);
              expect(recent.length).toBeLessThanOrEqual(bounds.requestsPerMinute ?? Infinity);
            } else if (act === 'observe') {
              const observedLimit = { limit: tokens, remaining: reservation * 20, resetAt: now + tokens * 20 };
              const observed =
                reservation % 3
                  ? { tokens: observedLimit }
                  : { requests: observedLimit, blockedUntil: now + reservation * 50 };
              for (const limiter of [rateLimiter, reference]) await limiter.observe({ limiter: 'g', observed, now });
            } else {
              for (const limiter of [rateLimiter, reference]) await limiter[act](known);
              if (act === 'cancel') admittedAt.delete(rateReservationId);
            }
          }
        }),
      ),
      RUNS,
    );
  });
}

function describeResult(result: unknown): string {
  if (typeof result === 'boolean') return result ? 'done' : 'nothing reserved';
  const { outcome } = result as { outcome: string };
  return { settled: 'done', unknown: 'nothing reserved' }[outcome] ?? outcome;
}
