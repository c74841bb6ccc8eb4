import type { Clock } from '@annals/domain';
import {
  estimateRerankTokens,
  type RerankAnswer,
  type Reranker,
  type RerankOptions,
  type RerankRequest,
} from '@annals/llm-core';
import { explainRefusal } from './explain-refusal.js';
import type { ModelCalls } from './model-calls.js';

interface MeteredRerankerDependencies {
  readonly reranker: Reranker;
  readonly calls: ModelCalls;
  readonly clock: Clock;
  /** Timeout of one call, in ms. */
  readonly timeoutMs: number;
}

/**
 * Returns the reranker itself when it runs inside the process, else the same reranker under circuit breaker, rate
 * limiter and budget.
 */
export function meterReranker(
  reranker: Reranker,
  calls: ModelCalls | null,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Reranker {
  if (reranker.name === 'onnx') return reranker;
  if (!calls)
    throw new Error(
      'A remote reranker requires the configuration of model calls: load the fragments "budgets" and "circuit".',
    );
  return new MeteredReranker({ reranker, calls, clock, timeoutMs });
}

/**
 * A remote reranker under circuit breaker, rate limiter and budget
 * (docs/reference/budgets.md#embedding-and-rerank-calls-count), settled as soon as it responds.
 */
class MeteredReranker implements Reranker {
  constructor(private readonly deps: MeteredRerankerDependencies) {}

  get name(): Reranker['name'] {
    return this.deps.reranker.name;
  }
  get model(): string {
    return this.deps.reranker.model;
  }

  estimateMaxCost(request: RerankRequest): number {
    return this.deps.reranker.estimateMaxCost(request);
  }

  /**
   * @throws LLMError, with `budget_exceeded` when the call would exceed a budget, CoordinationUnavailableError,
   * DatabaseUnavailableError, or the reason of the aborted signal
   */
  async rerank(request: RerankRequest, { signal, billingContext }: RerankOptions): Promise<RerankAnswer> {
    if (!billingContext) throw new Error('A metered reranking requires options.billingContext.');
    const { reranker, calls, clock, timeoutMs } = this.deps;
    const result = await calls.run({
      ...billingContext,
      operation: 'rerank',
      provider: reranker.name,
      model: reranker.model,
      maxCostMicroUsd: reranker.estimateMaxCost(request),
      expectedTokens: estimateRerankTokens(request),
      timeoutMs,
      signal,
      invoke: async (callSignal) => {
        const value = await reranker.rerank(request, { signal: callSignal });
        const { inputTokens, estimated, costMicroUsd } = value.usage;
        const usage = { inputTokens, outputTokens: 0, ...(estimated ? { estimated } : {}) };
        return { value, usage, costMicroUsd };
      },
    });
    if (result.outcome === 'failed') throw result.error;
    if (result.outcome === 'refused') throw explainRefusal(result, reranker.name, clock.now());
    await result.close('not_written');
    return result.value;
  }
}
