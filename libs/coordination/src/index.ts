export type { Admission, AdmitOutcome, AdmitRequest, CloseOutcome, CloseRequest } from './port/admission.js';
export { BUDGET_SCOPES, type BudgetLimits, type BudgetReservation, type BudgetScope, type BudgetSnapshot, type BudgetStore, type BudgetUsage, type ReserveOutcome, type ReserveRequest, type SettleOutcome, type SettleRequest } from './port/budget-store.js';
export { CIRCUIT_STATES, DEFAULT_BREAKER_POLICY, type BreakerAdmission, type BreakerPolicy, type CallOutcome, type CircuitBreaker, type CircuitState, type CircuitTransition } from './port/circuit-breaker.js';
export type { ObservedLimit, ObservedLimits, RateAdmission, RateLimiter, RateLimits, RateRefusal, RateRequest } from './port/rate-limiter.js';
export { CoordinationUnavailableError, type Coordination } from './port/coordination.js';
export { createInProcessCoordination } from './in-process/create-in-process-coordination.js';
export { createRedisCoordination, type RedisCoordinationOptions } from './redis/create-redis-coordination.js';
export { projectTokenUsage, THROTTLE_ABOVE_PERCENT, type TokenProjection, type TokenUsage } from './rules/token-projection.js';
