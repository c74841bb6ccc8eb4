import type { Rng } from '@annals/domain';
import type { RedisOptions } from 'ioredis';
import { DEFAULT_BREAKER_POLICY, type BreakerPolicy } from '../port/circuit-breaker.js';
import type { Admission } from '../port/admission.js';
import type { Coordination } from '../port/coordination.js';
import { assertAdmitRequest, assertCloseRequest } from '../rules/assert-requests.js';
import { classifyAdmission } from '../rules/classify-admission.js';
import { CoordinationClient, type ScriptStep } from './coordination-client.js';
import { createRedisBudgetStore } from './redis-budget-store.js';
import { createRedisCircuitBreaker } from './redis-circuit-breaker.js';
import { createRedisRateLimiter } from './redis-rate-limiter.js';

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
    budgets: createRedisBudgetStore(client, keyPrefix),
    breaker: createRedisCircuitBreaker(client, keyPrefix, breakerPolicy),
    rateLimiter: createRedisRateLimiter(client, keyPrefix),
  };
  return {
    ...parts,
    admission: createAdmission(client, parts),
    ping: () => client.ping(),
    close: async () => client.close(),
  };
}

interface RedisParts {
  readonly budgets: ReturnType<typeof createRedisBudgetStore>;
  readonly breaker: ReturnType<typeof createRedisCircuitBreaker>;
  readonly rateLimiter: ReturnType<typeof createRedisRateLimiter>;
}

/** The steps of the three parts as one script. */
function createAdmission(client: CoordinationClient, parts: RedisParts): Admission {
  const { breaker: breakers, rateLimiter, budgets } = parts;
  return {
    async admit(request) {
      assertAdmitRequest(request);
      const acquire = breakers.steps.acquire(request.circuit, request.rate.now);
      const pace = rateLimiter.steps.acquire(request.rate, request.yieldAbovePercent);
      const reserve = request.budget && budgets.steps.reserve(request.budget);
      const answers = await client.runInOrder(reserve ? [acquire, pace, reserve] : [acquire, pace]);
      return classifyAdmission(request, {
        breaker: acquire.decode(answers[0]),
        rate: answers[1] ? pace.decode(answers[1]) : undefined,
        budget: reserve && answers[2] ? reserve.decode(answers[2]) : undefined,
      });
    },
    async close(request) {
      assertCloseRequest(request);
      const { now, breaker, rate, budget, observed } = request;
      const steps: ScriptStep[] = [];
      const add = <Step extends ScriptStep>(step: Step): Step => (steps.push(step), step);
      const report = breaker && add(breakers.steps.report(breaker.circuit, breaker.reservation, breaker.outcome, now));
      if (rate) add(rateLimiter.steps.close(rate, now));
      if (budget?.costMicroUsd === null) add(budgets.steps.cancel(budget));
      const costMicroUsd = budget?.costMicroUsd ?? null;
      const settle =
        budget && costMicroUsd !== null ? add(budgets.steps.settle({ ...budget, costMicroUsd })) : undefined;
      if (observed) add(rateLimiter.steps.observe(observed.limiter, observed.limits, now));
      const answers = await client.runInOrder(steps);
      return {
        transition: report?.decode(answers[steps.indexOf(report)]) ?? null,
        ...(settle && { settled: settle.decode(answers[steps.indexOf(settle)]) }),
      };
    },
  };
}
