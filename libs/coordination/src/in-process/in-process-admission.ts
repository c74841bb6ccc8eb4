import type { Admission, AdmitOutcome, AdmitRequest, CloseOutcome, CloseRequest } from '../port/admission.js';
import type { Coordination } from '../port/coordination.js';
import {
  type AdmissionParts,
  assertAdmitRequest,
  assertCloseRequest,
  classifyAdmission,
  mustYield,
} from '../rules/classify-admission.js';

/** For one process: the single steps of the parts, one after the other. */
export class InProcessAdmission implements Admission {
  constructor(private readonly parts: Pick<Coordination, 'breaker' | 'rateLimiter' | 'budgets'>) {}

  async admit(request: AdmitRequest): Promise<AdmitOutcome> {
    assertAdmitRequest(request);
    const parts = await this.acquire(request);
    const outcome = classifyAdmission(request, parts);
    if (outcome.outcome === 'refused') await this.giveBack(request, parts);
    return outcome;
  }

  async close({ now, breaker, rate, budget, observed }: CloseRequest): Promise<CloseOutcome> {
    assertCloseRequest({ now, rate, budget });
    const { breaker: breakers, rateLimiter, budgets } = this.parts;
    const transition =
      (breaker && (await breakers.report(breaker.circuit, breaker.reservation, breaker.outcome, now))) ?? null;
    if (rate?.tokens === null) await rateLimiter.cancel({ ...rate, now });
    else if (rate) await rateLimiter.settle({ ...rate, tokens: rate.tokens, now });
    let settled: CloseOutcome['settled'];
    if (budget?.costMicroUsd === null) await budgets.cancel(budget);
    else if (budget) settled = await budgets.settle({ ...budget, costMicroUsd: budget.costMicroUsd });
    if (observed) await rateLimiter.observe({ limiter: observed.limiter, observed: observed.limits, now });
    return { transition, ...(settled && { settled }) };
  }

  private async acquire(request: AdmitRequest): Promise<AdmissionParts> {
    const breaker = await this.parts.breaker.acquire(request.circuit, request.rate.now);
    if (!breaker.admitted) return { breaker };
    const rate = await this.parts.rateLimiter.acquire(request.rate);
    if (!rate.admitted || mustYield(request, rate) || !request.budget) return { breaker, rate };
    return { breaker, rate, budget: await this.parts.budgets.reserve(request.budget) };
  }

  private async giveBack({ circuit, rate: request }: AdmitRequest, { breaker, rate }: AdmissionParts): Promise<void> {
    if (rate?.admitted) await this.parts.rateLimiter.cancel(request);
    if (breaker.admitted) await this.parts.breaker.report(circuit, breaker.reservation, 'abandoned', request.now);
  }
}
