import { DEFAULT_BREAKER_POLICY, type BreakerPolicy } from '../port/circuit-breaker.js';
import type { Coordination } from '../port/coordination.js';
import { InProcessAdmission } from './in-process-admission.js';
import { InProcessBudgetStore } from './in-process-budget-store.js';
import { InProcessCircuitBreaker } from './in-process-circuit-breaker.js';
import { InProcessRateLimiter } from './in-process-rate-limiter.js';

/** Coordination in memory, for a single process (standalone, tests). Needs no connection. */
export function createInProcessCoordination(options: { readonly breakerPolicy?: BreakerPolicy } = {}): Coordination {
  const parts = {
    budgets: new InProcessBudgetStore(),
    breaker: new InProcessCircuitBreaker(options.breakerPolicy ?? DEFAULT_BREAKER_POLICY),
    rateLimiter: new InProcessRateLimiter(),
  };
  return {
    ...parts,
    admission: new InProcessAdmission(parts),
    ping: async () => undefined,
    close: async () => undefined,
  };
}
