import type { Coordination } from '@annals/coordination';
import { LLMError } from '@annals/llm-core';
import type { ModelCall, ModelCallResult } from '@annals/runtime';
import type { Database } from '@annals/storage';
import { ShiftedClock } from '@annals/testing';
import { Redis } from 'ioredis';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import type { Row } from '../frame/row.ts';
import { AMOUNT, COST, makeBenchCall, openBenchCalls, USAGE } from './bench-calls.ts';

/** Has a circuit and a rate limiter of its own, and no configured limits. */
const MODEL = 'counted';
const RETRY_AFTER_MS = 30_000;
/** Failures after which the circuit opens, beside the five calls that are answered before. */
const FAILURES = 5;
const ANSWER = { value: null, usage: USAGE, costMicroUsd: COST };
/** Allows these calls, and no further one. */
const SMALL_LIMIT = AMOUNT + COST;

/**
 * Round trips of a model call to Redis, and its transactions in PostgreSQL. The last one of an answered call is the
 * settlement, which extraction writes together with the answer.
 */
export async function countRoundTrips(environment: BenchEnvironment, coordination: Coordination): Promise<Row[]> {
  const { tenantId } = environment;
  const ledger = countTransactions(environment.database);
  const clock = new ShiftedClock();
  const counted = { ...environment, ...ledger, clock };
  const calls = openBenchCalls(counted, coordination);
  const spent = openBenchCalls(counted, coordination, SMALL_LIMIT);
  const redis = new Redis(environment.redisUrl);
  const rows: Row[] = [];
  const count = async (what: string, expected: string, changes: Partial<ModelCall<null>> = {}, of = calls) => {
    ledger.reset();
    const before = await countScripts(redis);
    const result = await of.run(makeBenchCall(tenantId, { model: MODEL, ...changes }));
    if (result.outcome === 'answered') await result.close('not_written');
    if (nameOf(result) !== expected) throw new Error(`${what}: ${nameOf(result)} instead of ${expected}.`);
    const value = (await countScripts(redis)) - before;
    const raw = { what: 'transactions in PostgreSQL', value: ledger.count() };
    rows.push({ id: 'T12', what: `${what}: Redis round trips`, value, unit: '', raw });
  };
  await count('first call of the day', 'answered');
  await count('call', 'answered');
  const tokens = { limit: 1_000_000, remaining: 999_999, resetAt: clock.now() + RETRY_AFTER_MS };
  await count('call, limits reported', 'answered', { invoke: async () => ({ ...ANSWER, rateLimits: { tokens } }) });
  const freeAnswer = { ...ANSWER, costMicroUsd: 0 };
  await count('free call', 'answered', { maxCostMicroUsd: 0, invoke: async () => freeAnswer });
  await count('refused by the budget', 'budget', {}, spent);
  await count('failed with 429', 'failed', { invoke: fail('rate_limit', 429) });
  await count('refused by the rate limiter', 'rate');
  await count('refused by the rate limiter again', 'rate');
  clock.advance(RETRY_AFTER_MS);
  await count('call soon after a refusal', 'answered');
  for (let failures = 0; failures < FAILURES; failures += 1) {
    await calls.run(makeBenchCall(tenantId, { model: MODEL, invoke: fail('transient', 503) }));
  }
  await count('refused by the circuit breaker', 'circuit');
  redis.disconnect();
  return rows;
}

function nameOf(result: ModelCallResult<unknown>): string {
  return result.outcome === 'refused' ? result.why : result.outcome;
}

function fail(type: 'transient' | 'rate_limit', status: number) {
  const error = new LLMError(type, 'It failed.', { status, retryAfterMs: RETRY_AFTER_MS });
  return () => Promise.reject(error);
}

function countTransactions(database: Database) {
  let transactions = 0;
  const counting = Object.create(database) as Database;
  counting.inTenant = (tenantId, work) => {
    transactions += 1;
    return database.inTenant(tenantId, work);
  };
  return { database: counting, count: () => transactions, reset: () => void (transactions = 0) };
}

/** Scripts that this Redis has run: the coordination sends nothing else for a call, and nothing else runs meanwhile. */
async function countScripts(redis: Redis): Promise<number> {
  const statistics = await redis.info('commandstats');
  const counts = statistics.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm);
  return [...counts].reduce((sum, [, calls]) => sum + Number(calls), 0);
}
