import type { Clock } from '@annals/domain';
import type { EmbeddingProvider } from '@annals/llm-core';
import { type Metering, requireModelCalls, runMetered } from './metered-call.js';
import type { ModelCalls } from './model-calls.js';

/** See docs/reference/model-calls.md#token-counts-and-estimates. */
const CHARACTERS_PER_TOKEN = 4;

/** The embedder itself when it runs inside the process, else under breaker, rate limiter and budget. */
export function meterEmbedder(
  provider: EmbeddingProvider,
  calls: ModelCalls | null,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): EmbeddingProvider {
  const { name, model, dimensions, profile } = provider;
  if (name === 'hashed') return provider;
  const metering: Metering = { calls: requireModelCalls(calls, 'embedder'), clock, timeoutMs };
  return {
    name,
    model,
    dimensions,
    profile,
    estimateMaxCost: (texts) => provider.estimateMaxCost(texts),
    async embed(texts, { signal, billingContext }) {
      const maxCostMicroUsd = provider.estimateMaxCost(texts);
      const expectedTokens = texts.reduce((total, text) => total + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
      const call = { operation: 'embedding', provider: name, model, maxCostMicroUsd, expectedTokens, signal } as const;
      return runMetered(metering, billingContext, call, (callSignal) => provider.embed(texts, { signal: callSignal }));
    },
  };
}
