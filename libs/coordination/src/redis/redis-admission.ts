import type { Admission, AdmitOutcome, AdmitRequest, CloseOutcome, CloseRequest } from '../port/admission.js';
import { assertAdmitRequest, assertCloseRequest } from '../rules/assert-requests.js';
import { classifyAdmission } from '../rules/classify-admission.js';
import type { CoordinationClient, ScriptStep } from './coordination-client.js';
import { decodeReserveOutcome, decodeSettleOutcome, type RedisBudgetStore } from './redis-budget-store.js';
import { decodeBreakerAdmission, decodeTransition, type RedisCircuitBreaker } from './redis-circuit-breaker.js';
import { decodeRateAdmission, type RedisRateLimiter } from './redis-rate-limiter.js';

interface RedisParts {
  readonly breaker: RedisCircuitBreaker;
  readonly rateLimiter: RedisRateLimiter;
  readonly budgets: RedisBudgetStore;
}

/** For a fleet, on Redis: the steps of the three parts as one script. */
export class RedisAdmission implements Admission {
  constructor(
    private readonly client: CoordinationClient,
    private readonly parts: RedisParts,
  ) {}

  async admit(request: AdmitRequest): Promise<AdmitOutcome> {
    assertAdmitRequest(request);
    const { circuit, rate, yieldAbovePercent, budget } = request;
    const { breaker, rateLimiter, budgets } = this.parts;
    const steps = [breaker.toAcquireStep(circuit, rate.now), rateLimiter.toAcquireStep(rate, yieldAbovePercent)];
    if (budget) steps.push(budgets.toReserveStep(budget));
    const [admission, rateAdmission, reserved] = await this.client.runInOrder(steps);
    return classifyAdmission(request, {
      breaker: decodeBreakerAdmission(admission),
      rate: rateAdmission ? decodeRateAdmission(rateAdmission) : undefined,
      budget: budget && reserved ? decodeReserveOutcome(budget, reserved) : undefined,
    });
  }

  async close(request: CloseRequest): Promise<CloseOutcome> {
    assertCloseRequest(request);
    const { now, breaker, rate, budget, observed } = request;
    const steps: ScriptStep[] = [];
    if (breaker)
      steps.push(this.parts.breaker.toReportStep(breaker.circuit, breaker.reservation, breaker.outcome, now));
    if (rate) steps.push(this.parts.rateLimiter.toSettleStep(rate, now));
    if (budget) steps.push(this.parts.budgets.toSettleStep(budget));
    if (observed) steps.push(this.parts.rateLimiter.toObserveStep(observed.limiter, observed.limits, now));
    const answers = await this.client.runInOrder(steps);
    const answerOf = (name: ScriptStep['name']): unknown => answers[steps.findIndex((step) => step.name === name)];
    const isSettled = budget && budget.costMicroUsd !== null;
    return {
      transition: (breaker && decodeTransition(answerOf('circuitReport'))) ?? null,
      ...(isSettled && { settled: decodeSettleOutcome(budget.costMicroUsd ?? 0, answerOf('budgetSettle')) }),
    };
  }
}
