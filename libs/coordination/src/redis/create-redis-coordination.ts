import type { Rng } from '@annals/domain';
import type { RedisOptions } from 'ioredis';
import { DEFAULT_BREAKER_POLICY, type BreakerPolicy } from '../port/circuit-breaker.js';
import type { Coordination } from '../port/coordination.js';
import { CoordinationClient } from './coordination-client.js';
import { RedisAdmission } from './redis-admission.js';
import { RedisBudgetStore } from './redis-budget-store.js';
import { RedisCircuitBreaker } from './redis-circuit-breaker.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

export interface RedisCoordinationOptions {
  /** URL of a Redis or Valkey, or ioredis options for it. */
  readonly redis: string | RedisOptions;
  /** Jitter of reconnects. */
  readonly rng: Rng;
  /** Prefix of every key; fleets that share a server need different ones. Default `annals`. */
  readonly keyPrefix?: string;
  readonly breakerPolicy?: BreakerPolicy;
  /** Default 2 000. */
  readonly commandTimeoutMs?: number;
  /** Called with each failure of the connection, repeatedly during an outage. */
  readonly onError?: (error: Error) => void;
}

/**
 * For a fleet. Never throws: without a server every method rejects with CoordinationUnavailableError, while the client
 * reconnects without limit. All keys of a fleet share one hash tag, so that a script can use the keys of circuit
 * breaker, rate limiter and budgets together on a Redis Cluster.
 */
export function createRedisCoordination(options: RedisCoordinationOptions): Coordination {
  const { keyPrefix = 'annals', breakerPolicy = DEFAULT_BREAKER_POLICY } = options;
  const client = new CoordinationClient({
    redis: options.redis,
    rng: options.rng,
    commandTimeoutMs: options.commandTimeoutMs ?? 2_000,
    onError: options.onError ?? (() => undefined),
  });
  const parts = {
    budgets: new RedisBudgetStore(client, keyPrefix),
    breaker: new RedisCircuitBreaker(client, keyPrefix, breakerPolicy),
    rateLimiter: new RedisRateLimiter(client, keyPrefix),
  };
  return {
    ...parts,
    admission: new RedisAdmission(client, parts),
    ping: () => client.ping(),
    close: async () => client.close(),
  };
}
