import type { BudgetStore } from './budget-store.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { RateLimiter } from './rate-limiter.js';

/** What all processes agree on before a model is called. */
export interface Coordination {
  readonly budgets: BudgetStore;
  readonly breaker: CircuitBreaker;
  readonly rateLimiter: RateLimiter;
  /** Resolves when the store answers. @throws CoordinationUnavailableError */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The store cannot be asked. Nothing was admitted; what was settled is caught up from the ledger. */
export class CoordinationUnavailableError extends Error {
  override readonly name = 'CoordinationUnavailableError';
  constructor(options?: { cause?: unknown }) {
    super('The coordination store does not answer. Calls of models wait until it does.', options);
  }
}
