import type { Admission, AdmitRequest, CloseOutcome } from '../port/admission.js';
import { type BreakerPolicy, type CircuitBreaker, DEFAULT_BREAKER_POLICY } from '../port/circuit-breaker.js';
import type { Coordination } from '../port/coordination.js';
import type { RateLimiter } from '../port/rate-limiter.js';
import { assertAdmitRequest, assertAmount, assertCloseRequest, assertRateRequest } from '../rules/assert-requests.js';
import { acquireReservation, type Circuit, createCircuit, readCircuit, reportOutcome } from '../rules/circuit.js';
import { type AdmissionParts, classifyAdmission, mustYield } from '../rules/classify-admission.js';
import { RateWindow } from '../rules/rate-window.js';
import { createBudgetStore } from './in-process-budget-store.js';

type Parts = Pick<Coordination, 'breaker' | 'rateLimiter' | 'budgets'>;

/** Coordination in memory, for a single process (standalone, tests). Needs no connection. */
export function createInProcessCoordination(options: { readonly breakerPolicy?: BreakerPolicy } = {}): Coordination {
  const parts: Parts = {
    budgets: createBudgetStore(),
    breaker: createCircuitBreaker(options.breakerPolicy ?? DEFAULT_BREAKER_POLICY),
    rateLimiter: createRateLimiter(),
  };
  return { ...parts, admission: createAdmission(parts), ping: async () => undefined, close: async () => undefined };
}

/** Holds one circuit for each configured provider and model. */
function createCircuitBreaker(policy: BreakerPolicy): CircuitBreaker {
  const circuits = new Map<string, Circuit>();
  return {
    async acquire(name, now) {
      const circuit = circuits.get(name) ?? createCircuit(now);
      circuits.set(name, circuit);
      return acquireReservation(circuit, now, policy);
    },
    async report(name, reservation, outcome, now) {
      const circuit = circuits.get(name);
      return circuit ? reportOutcome(circuit, reservation, outcome, now, policy) : null;
    },
    async read(name, now) {
      return readCircuit(circuits.get(name) ?? createCircuit(now), now, policy);
    },
  };
}

/** Holds one window for each configured provider and model. */
function createRateLimiter(): RateLimiter {
  const windows = new Map<string, RateWindow>();
  const find = (limiter: string): RateWindow => {
    const window = windows.get(limiter) ?? new RateWindow();
    windows.set(limiter, window);
    return window;
  };
  return {
    async acquire(request) {
      assertRateRequest(request);
      return find(request.limiter).acquire(request);
    },
    async settle({ limiter, rateReservationId, tokens }) {
      assertAmount('tokens', tokens);
      find(limiter).settle(rateReservationId, tokens);
    },
    async cancel({ limiter, rateReservationId }) {
      find(limiter).cancel(rateReservationId);
    },
    async observe({ limiter, observed, now }) {
      find(limiter).observe(observed, now);
    },
  };
}

/** The single steps of the parts, one after the other. */
function createAdmission({ breaker: breakers, rateLimiter, budgets }: Parts): Admission {
  async function acquire(request: AdmitRequest): Promise<AdmissionParts> {
    const breaker = await breakers.acquire(request.circuit, request.rate.now);
    if (!breaker.admitted) return { breaker };
    const rate = await rateLimiter.acquire(request.rate);
    if (!rate.admitted || mustYield(request, rate) || !request.budget) return { breaker, rate };
    return { breaker, rate, budget: await budgets.reserve(request.budget) };
  }
  return {
    async admit(request) {
      assertAdmitRequest(request);
      const parts = await acquire(request);
      const outcome = classifyAdmission(request, parts);
      if (outcome.outcome === 'admitted') return outcome;
      const { breaker, rate } = parts;
      if (rate?.admitted) await rateLimiter.cancel(request.rate);
      if (breaker.admitted) {
        await breakers.report(request.circuit, breaker.reservation, 'abandoned', request.rate.now);
      }
      return outcome;
    },
    async close(request) {
      assertCloseRequest(request);
      const { now, breaker, rate, budget, observed } = request;
      const moved = breaker && (await breakers.report(breaker.circuit, breaker.reservation, breaker.outcome, now));
      if (rate?.tokens === null) await rateLimiter.cancel({ ...rate, now });
      else if (rate) await rateLimiter.settle({ ...rate, tokens: rate.tokens, now });
      let settled: CloseOutcome['settled'];
      if (budget?.costMicroUsd === null) await budgets.cancel(budget);
      else if (budget) settled = await budgets.settle({ ...budget, costMicroUsd: budget.costMicroUsd });
      if (observed) await rateLimiter.observe({ limiter: observed.limiter, observed: observed.limits, now });
      return { transition: moved ?? null, ...(settled && { settled }) };
    },
  };
}
