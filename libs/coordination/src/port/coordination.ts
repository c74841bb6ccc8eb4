import type { Admission } from './admission.js';
import type { BudgetStore } from './budget-store.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * The state that all processes share and check before a model is called. Calls use `admission`; the three parts are for
 * what is not one call: reading, rebuilding and reconciling.
 */
export interface Coordination {
  readonly admission: Admission;
  readonly budgets: BudgetStore;
  readonly breaker: CircuitBreaker;
  readonly rateLimiter: RateLimiter;
  /** Resolves when the store answers. @throws CoordinationUnavailableError */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing was admitted; settlements that the store missed are repeated from the ledger. */
export class CoordinationUnavailableError extends Error {
  override readonly name = 'CoordinationUnavailableError';
  constructor(options?: { cause?: unknown }) {
    super('The coordination store does not answer. Model calls wait until it does.', options);
  }
}
