import type { AdmitOutcome, AdmitRequest } from '../port/admission.js';
import type { ReserveOutcome } from '../port/budget-store.js';
import type { BreakerAdmission } from '../port/circuit-breaker.js';
import type { RateAdmission } from '../port/rate-limiter.js';

/** The answers of the parts, up to the first one that refused. */
export interface AdmissionParts {
  readonly breaker: BreakerAdmission;
  readonly rate?: RateAdmission | undefined;
  readonly budget?: ReserveOutcome | undefined;
}

/** Whether an admitted call yields to required ones (docs/reference/rate-limits.md#yielding-calls). */
export function mustYield({ yieldAbovePercent }: AdmitRequest, { utilizationPercent }: RateAdmission): boolean {
  return yieldAbovePercent !== undefined && utilizationPercent > yieldAbovePercent;
}

/** Which part refused, by the order of the parts (docs/reference/model-calls.md#order-of-admission). */
export function classifyAdmission(request: AdmitRequest, { breaker, rate, budget }: AdmissionParts): AdmitOutcome {
  if (!breaker.admitted) return { outcome: 'refused', by: 'breaker', breaker };
  if (!rate) throw new TypeError('The rate limiter did not answer.');
  if (!rate.admitted) return { outcome: 'refused', by: 'rates', breaker, rate };
  if (mustYield(request, rate)) return { outcome: 'refused', by: 'yield', breaker, rate };
  if (budget && budget.outcome !== 'admitted') return { outcome: 'refused', by: 'budgets', breaker, rate, budget };
  return { outcome: 'admitted', breaker, rate };
}
