import type { Coordination } from '@annals/coordination';
import { createLogger, createMetrics } from '@annals/observability';
import { createModelCalls, type ModelCall, type ModelCalls, type SpendingLimits } from '@annals/runtime';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { MODEL, PROVIDER } from './bench-coordination.ts';

export const AMOUNT = 3_000;
export const COST = 1_000;
export const USAGE = { inputTokens: 2_000, outputTokens: 500 };
export const TIMEOUT_MS = 60_000;
/** Limits that are counted, but never reached. */
const RATES = { requestsPerMinute: 100_000_000, tokensPerMinute: 1_000_000_000_000 };
const LIMIT = 2 ** 50;

/** The entry point to the model of the bench, as a service has it. By default no limit is ever reached. */
export function openBenchCalls(
  { database, clock, ids }: Pick<BenchEnvironment, 'database' | 'clock' | 'ids'>,
  coordination: Coordination,
  deploymentMicroUsd = LIMIT,
): ModelCalls {
  const spending: SpendingLimits = {
    deploymentMicroUsd,
    tenantMicroUsd: LIMIT,
    providersMicroUsd: { [PROVIDER]: LIMIT },
  };
  return createModelCalls({
    database,
    coordination,
    clock,
    ids,
    logger: createLogger({ service: 'bench', level: 'error', clock }),
    metrics: createMetrics({ service: 'bench', version: '0', processMetrics: false }),
    limits: { spending, models: [{ provider: PROVIDER, model: MODEL, rates: RATES }] },
  }).calls;
}

/** A call that takes no time. */
export function makeBenchCall(tenantId: string, changes: Partial<ModelCall<null>> = {}): ModelCall<null> {
  return {
    tenantId,
    userId: null,
    batch: null,
    operation: 'extraction',
    provider: PROVIDER,
    model: MODEL,
    maxCostMicroUsd: AMOUNT,
    expectedTokens: USAGE.inputTokens,
    timeoutMs: TIMEOUT_MS,
    signal: new AbortController().signal,
    invoke: async () => ({ value: null, usage: USAGE, costMicroUsd: COST }),
    ...changes,
  };
}
