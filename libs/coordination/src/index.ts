export type { Admission, AdmitOutcome, AdmitRequest, CloseOutcome, CloseRequest } from './port/admission.js';
export { BUDGET_SCOPES } from './port/budget-store.js';
export type {
  BudgetLimits,
  BudgetScope,
  BudgetSnapshot,
  BudgetStore,
  BudgetReservation,
  ReserveOutcome,
  ReserveRequest,
  SettleOutcome,
  SettleRequest,
  BudgetUsage,
} from './port/budget-store.js';
export { CIRCUIT_STATES, DEFAULT_BREAKER_POLICY } from './port/circuit-breaker.js';
export type {
  BreakerAdmission,
  BreakerPolicy,
  CallOutcome,
  CircuitBreaker,
  CircuitState,
  CircuitTransition,
} from './port/circuit-breaker.js';
export type {
  ObservedLimit,
  ObservedLimits,
  RateAdmission,
  RateLimiter,
  RateLimits,
  RateRefusal,
  RateRequest,
} from './port/rate-limiter.js';
export { CoordinationUnavailableError } from './port/coordination.js';
export type { Coordination } from './port/coordination.js';
export { createInProcessCoordination } from './in-process/create-in-process-coordination.js';
export { createRedisCoordination } from './redis/create-redis-coordination.js';
export type { RedisCoordinationOptions } from './redis/create-redis-coordination.js';
export { projectTokenUsage, THROTTLE_ABOVE_PERCENT } from './rules/token-projection.js';
export type { TokenProjection, TokenUsage } from './rules/token-projection.js';
