import type { Clock } from '@annals/domain';
import { type EmbeddingProvider, estimateTokensByLength } from '@annals/llm-core';
import { type Metering, requireModelCalls, runMetered } from './metered-call.js';
import type { ModelCalls } from './model-calls.js';

/** The embedder itself when it runs inside the process, else under breaker, rate limiter and budget. */
export function meterEmbedder(
  provider: EmbeddingProvider,
  calls: ModelCalls | null,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): EmbeddingProvider {
  const { name, model, dimensions, profile } = provider;
  if (name === 'hashed' || name === 'onnx') return provider;
  const metering: Metering = { calls: requireModelCalls(calls, 'embedder'), clock, timeoutMs };
  return {
    name,
    model,
    dimensions,
    profile,
    estimateMaxCost: (texts) => provider.estimateMaxCost(texts),
    async embed(texts, { signal, billingContext }) {
      const maxCostMicroUsd = provider.estimateMaxCost(texts);
      const expectedTokens = texts.reduce((total, text) => total + estimateTokensByLength(text), 0);
      const call = { operation: 'embedding', provider: name, model, maxCostMicroUsd, expectedTokens, signal } as const;
      return runMetered(metering, billingContext, call, (callSignal) => provider.embed(texts, { signal: callSignal }));
    },
  };
}
