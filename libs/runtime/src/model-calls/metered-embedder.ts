import type { Clock } from '@annals/domain';
import {
  type EmbeddingProvider,
  type EmbeddingResult,
  type EmbedOptions,
  type SimilarityProfile,
} from '@annals/llm-core';
import { explainRefusal } from './explain-refusal.js';
import type { AnsweredCall, ModelCalls } from './model-calls.js';

/**
 * Estimate where no tokenizer counts: a quarter of the characters
 * (docs/reference/model-calls.md#token-counts-and-estimates).
 */
const CHARACTERS_PER_TOKEN = 4;

interface MeteredEmbedderDependencies {
  readonly provider: EmbeddingProvider;
  readonly calls: ModelCalls;
  readonly clock: Clock;
  /**
   * Timeout of one call, in ms. Shorter than the caller's own timeout: a hanging server must count as a failure of the
   * provider, not as an abort by the caller.
   */
  readonly timeoutMs: number;
}

/**
 * Returns the embedder itself when it runs inside the process, else the same embedder under circuit breaker, rate
 * limiter and budget.
 */
export function meterEmbedder(
  provider: EmbeddingProvider,
  calls: ModelCalls | null,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): EmbeddingProvider {
  if (provider.name === 'hashed') return provider;
  if (!calls)
    throw new Error(
      'A remote embedder requires the configuration of model calls: load the fragments "budgets" and "circuit".',
    );
  return new MeteredEmbedder({ provider, calls, clock, timeoutMs });
}

/**
 * A remote embedder under circuit breaker, rate limiter and budget
 * (docs/reference/budgets.md#embedding-and-rerank-calls-count): its cost is settled as soon as it responds, whatever
 * the vectors are used for. A refusal is an LLMError too, since callers continue without vectors either way.
 */
class MeteredEmbedder implements EmbeddingProvider {
  constructor(private readonly deps: MeteredEmbedderDependencies) {}

  get name(): string {
    return this.deps.provider.name;
  }
  get model(): string {
    return this.deps.provider.model;
  }
  get dimensions(): number {
    return this.deps.provider.dimensions;
  }
  get profile(): SimilarityProfile {
    return this.deps.provider.profile;
  }

  estimateMaxCost(texts: readonly string[]): number {
    return this.deps.provider.estimateMaxCost(texts);
  }

  /**
   * @throws LLMError, with `budget_exceeded` when the call would exceed a budget, CoordinationUnavailableError,
   * DatabaseUnavailableError, or the reason of the aborted signal
   */
  async embed(texts: readonly string[], { signal, billingContext }: EmbedOptions): Promise<EmbeddingResult> {
    if (!billingContext) throw new Error('A metered embedding requires options.billingContext.');
    const { provider, calls } = this.deps;
    const result = await calls.run({
      ...billingContext,
      operation: 'embedding',
      provider: provider.name,
      model: provider.model,
      maxCostMicroUsd: provider.estimateMaxCost(texts),
      expectedTokens: estimateTokens(texts),
      timeoutMs: this.deps.timeoutMs,
      signal,
      invoke: async (callSignal) => {
        const value = await provider.embed(texts, { signal: callSignal });
        const { inputTokens, estimated, costMicroUsd } = value.usage;
        const usage = { inputTokens, outputTokens: 0, ...(estimated ? { estimated } : {}) };
        return { value, usage, costMicroUsd };
      },
    });
    if (result.outcome === 'answered') return this.takeAnswer(result);
    if (result.outcome === 'failed') throw result.error;
    throw explainRefusal(result, provider.name, this.deps.clock.now());
  }

  /** Only the settlement is left, and it never fails the caller. */
  private async takeAnswer(answered: AnsweredCall<EmbeddingResult>): Promise<EmbeddingResult> {
    await answered.close('not_written');
    return answered.value;
  }
}

function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
}
