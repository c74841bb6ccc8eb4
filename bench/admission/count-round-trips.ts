import type { Coordination } from '@annals/coordination';
import { LLMError } from '@annals/llm-core';
import type { ModelCall, ModelCalls } from '@annals/runtime';
import type { Database } from '@annals/storage';
import { Redis } from 'ioredis';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import type { Row } from '../frame/row.ts';
import { AMOUNT, COST, makeBenchCall, openBenchCalls, USAGE } from './bench-calls.ts';

/** Has a circuit and a rate limiter of its own, and no configured limits. */
const MODEL = 'counted';
const DAY_MS = 86_400_000;
const OBSERVED = { limit: 1_000_000, remaining: 999_999, resetAt: 0 };

type Outcome = 'answered' | 'failed' | 'circuit' | 'rate' | 'budget';

interface Step {
  readonly what: string;
  readonly calls: ModelCalls;
  readonly call: Partial<ModelCall<null>>;
  readonly expected: Outcome;
}

/**
 * Round trips of a model call to Redis, as Redis sees them, and its transactions in PostgreSQL. The last one of an
 * answered call is the settlement, which extraction writes together with the answer.
 */
export async function countRoundTrips(environment: BenchEnvironment, coordination: Coordination): Promise<Row[]> {
  const ledger = countTransactions(environment.database);
  let skippedMs = 0;
  const clock = { now: () => environment.clock.now() + skippedMs };
  const open = (limit?: number) => openBenchCalls({ ...environment, ...ledger, clock }, coordination, limit);
  const redis = new Redis(environment.redisUrl);
  const [calls, spent] = [open(), open(AMOUNT + COST)];
  const rateLimits = { tokens: { ...OBSERVED, resetAt: clock.now() + DAY_MS } };
  const answer = { value: null, usage: USAGE, costMicroUsd: COST };
  const fail = (type: 'transient' | 'rate_limit', status: number) => async () =>
    Promise.reject(new LLMError(type, 'It failed.', { status, retryAfterMs: 30_000 }));
  const steps: Step[] = [
    { what: 'first call of the day', calls, call: {}, expected: 'answered' },
    { what: 'call', calls, call: {}, expected: 'answered' },
    {
      what: 'call, limits reported',
      calls,
      call: { invoke: async () => ({ ...answer, rateLimits }) },
      expected: 'answered',
    },
    {
      what: 'free call',
      calls,
      call: { maxCostMicroUsd: 0, invoke: async () => ({ ...answer, costMicroUsd: 0 }) },
      expected: 'answered',
    },
    { what: 'refused by the budget', calls: spent, call: {}, expected: 'budget' },
    { what: 'failed with 429', calls, call: { invoke: fail('rate_limit', 429) }, expected: 'failed' },
    { what: 'refused by the rate limiter', calls, call: {}, expected: 'rate' },
    { what: 'refused by the rate limiter again', calls, call: {}, expected: 'rate' },
    { what: 'call after refusals', calls, call: {}, expected: 'answered' },
    { what: 'failed, until the circuit opens', calls, call: { invoke: fail('transient', 503) }, expected: 'failed' },
    { what: 'failed, until the circuit opens', calls, call: { invoke: fail('transient', 503) }, expected: 'failed' },
    { what: 'failed, until the circuit opens', calls, call: { invoke: fail('transient', 503) }, expected: 'failed' },
    { what: 'failed, until the circuit opens', calls, call: { invoke: fail('transient', 503) }, expected: 'failed' },
    { what: 'failed, until the circuit opens', calls, call: { invoke: fail('transient', 503) }, expected: 'failed' },
    { what: 'refused by the circuit breaker', calls, call: {}, expected: 'circuit' },
    { what: 'refused by the circuit breaker again', calls, call: {}, expected: 'circuit' },
  ];
  const rows: Row[] = [];
  for (const { what, calls: of, call, expected } of steps) {
    if (what === 'call after refusals') skippedMs += 31_000;
    ledger.reset();
    const before = await countScripts(redis);
    const result = await of.run(makeBenchCall(environment.tenantId, { model: MODEL, ...call }));
    if (result.outcome === 'answered') await result.close('not_written');
    const outcome = result.outcome === 'refused' ? result.why : result.outcome;
    if (outcome !== expected) throw new Error(`${what}: ${outcome} instead of ${expected}.`);
    const value = (await countScripts(redis)) - before;
    const raw = { what: 'transactions in PostgreSQL', value: ledger.count() };
    rows.push({
      id: 'T12',
      what: `${what}: Redis round trips`,
      value,
      unit: '',
      raw,
    });
  }
  redis.disconnect();
  return rows.filter(({ what }, index) => rows.findIndex((row) => row.what === what) === index);
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

/** Scripts run by this Redis so far: the coordination sends nothing else for a call, and nothing else runs meanwhile. */
async function countScripts(redis: Redis): Promise<number> {
  const statistics = await redis.info('commandstats');
  return [...statistics.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}
