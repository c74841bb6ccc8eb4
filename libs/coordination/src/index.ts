export * from './port/admission.js';
export * from './port/budget-store.js';
export * from './port/circuit-breaker.js';
export * from './port/coordination.js';
export * from './port/rate-limiter.js';
export { createInProcessCoordination } from './in-process/create-in-process-coordination.js';
export { createRedisCoordination, type RedisCoordinationOptions } from './redis/create-redis-coordination.js';
