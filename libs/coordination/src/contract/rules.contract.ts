import fc from 'fast-check';
import { createInProcessCoordination } from '../in-process/create-in-process-coordination.js';
import { budgetSteps, BudgetModel, takeStep } from './budget-model.contract.js';
import { loadActive } from './budget-store.contract.js';
import { using, withPolicy, type CreateCoordination } from './coordination-place.contract.js';

const T0 = Date.UTC(2026, 10, 22);
const RUNS = { numRuns: 150 };

/** Random walks: against the plainest model, and step by step beside the implementation in memory. */
export function describeRules(create: CreateCoordination): void {
  it('holds budgets like the model, whatever the order, and like the implementation in memory', async () => {
    await fc.assert(
      fc.asyncProperty(budgetSteps, (steps) =>
        using(create, undefined, async ({ budgets }) => {
          const model = new BudgetModel();
          const inProcess = createInProcessCoordination().budgets;
          for (const step of steps) {
            const [answer, same] = [await takeStep(budgets, step), await takeStep(inProcess, step)];
            expect(answer).toEqual(same);
            expect(nameAnswer(answer)).toBe(model.take(step));
          }
          expect(await budgets.read('2026-11-22', { tenantId: 'acme', provider: 'openai' })).toEqual({
            deployment: model.standing('deployment'),
            tenant: model.standing('tenant:acme'),
            provider: model.standing('provider:openai'),
          });
        }),
      ),
      RUNS,
    );
  });

  it('never lets holds and spend pass a limit that all callers share, however many ask at once', async () => {
    const amounts = fc.array(fc.nat({ max: 60 }), { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(amounts, (asked) =>
        using(create, undefined, async ({ budgets }) => {
          const day = '2026-11-22';
          const limits = { deployment: 200, tenant: 100, provider: null };
          await loadActive(budgets, { day, epoch: 1, spentByTenant: new Map(), spentByProvider: new Map(), holds: [] });
          await Promise.all(
            asked.map(async (amountMicroUsd, index) => {
              const hold = { reservationId: `r${index}`, day, tenantId: `t${index % 3}`, provider: 'claude' };
              const { outcome } = await budgets.reserve({ ...hold, amountMicroUsd, limits, epoch: 1 });
              if (outcome === 'admitted' && index % 2) await budgets.settle({ ...hold, costMicroUsd: amountMicroUsd });
            }),
          );
          for (const tenantId of ['t0', 't1', 't2']) {
            const { deployment, tenant } = (await budgets.read(day, { tenantId })) ?? {};
            expect((deployment?.spentMicroUsd ?? 201) + (deployment?.heldMicroUsd ?? 0)).toBeLessThanOrEqual(200);
            expect((tenant?.spentMicroUsd ?? 101) + (tenant?.heldMicroUsd ?? 0)).toBeLessThanOrEqual(100);
          }
        }),
      ),
      RUNS,
    );
  });

  it('moves a circuit as the implementation in memory does', async () => {
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
          const twin = createInProcessCoordination({ breakerPolicy: withPolicy(changes) }).breaker;
          const permits: string[] = [];
          let now = T0;
          for (const { waitMs, report, outcome } of steps) {
            now += waitMs;
            expect(await breaker.read('c', now)).toEqual(await twin.read('c', now));
            const permit = report === null ? undefined : permits.at(-1 - report);
            if (permit !== undefined) {
              expect(await breaker.report('c', permit, outcome, now)).toEqual(
                await twin.report('c', permit, outcome, now),
              );
              continue;
            }
            const admission = await breaker.acquire('c', now);
            expect(admission).toEqual(await twin.acquire('c', now));
            if (admission.admitted) permits.push(admission.permit);
          }
        }),
      ),
      RUNS,
    );
  });

  it('paces calls as the implementation in memory does, never above a limit', async () => {
    const step = fc.record({
      waitMs: fc.constantFrom(0, 0, 7, 300, 2_500, 20_000),
      act: fc.constantFrom('ask', 'ask', 'ask', 'ask', 'settle', 'cancel', 'observe'),
      tenantId: fc.constantFrom('a', 'b', 'c'),
      tokens: fc.nat({ max: 600 }),
      ticket: fc.nat({ max: 12 }),
    });
    const limits = fc.record({
      requestsPerMinute: fc.option(fc.integer({ min: 1, max: 12 })),
      tokensPerMinute: fc.option(fc.integer({ min: 200, max: 3_000 })),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), (bounds, steps) =>
        using(create, undefined, async ({ rates }) => {
          const twin = createInProcessCoordination().rates;
          const admittedAt = new Map<string, number>();
          let now = T0;
          for (const [index, { waitMs, act, tenantId, tokens, ticket }] of steps.entries()) {
            now += waitMs;
            const ticketId = act === 'ask' ? `t${index}` : ([...admittedAt.keys()].at(-1 - ticket) ?? 'unknown');
            const known = { gate: 'g', ticketId, tokens, now };
            if (act === 'ask') {
              const ask = { ...known, tenantId, limits: bounds };
              const admission = await rates.acquire(ask);
              expect(admission).toEqual(await twin.acquire(ask));
              if (admission.admitted) admittedAt.set(ticketId, now);
              else expect(admission.retryInMs).toBeGreaterThanOrEqual(50);
              const recent = [...admittedAt.values()].filter((at) => now - at <= 60_000);
              expect(recent.length).toBeLessThanOrEqual(bounds.requestsPerMinute ?? Infinity);
            } else if (act === 'observe') {
              const heard = { limit: tokens, remaining: ticket * 20, resetAt: now + tokens * 20 };
              const observed = ticket % 3 ? { tokens: heard } : { requests: heard, blockedUntil: now + ticket * 50 };
              for (const gate of [rates, twin]) await gate.observe({ gate: 'g', observed, now });
            } else {
              for (const gate of [rates, twin]) await gate[act](known);
              if (act === 'cancel') admittedAt.delete(ticketId);
            }
          }
        }),
      ),
      RUNS,
    );
  });
}

function nameAnswer(answer: unknown): string {
  if (typeof answer === 'boolean') return answer ? 'done' : 'nothing held';
  const { outcome } = answer as { outcome: string };
  return { settled: 'done', unknown: 'nothing held' }[outcome] ?? outcome;
}
