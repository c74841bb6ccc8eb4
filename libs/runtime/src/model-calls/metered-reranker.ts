import type { Clock } from '@annals/domain';
import { estimateRerankTokens, type Reranker } from '@annals/llm-core';
import { type Metering, requireModelCalls, runMetered } from './metered-call.js';
import type { ModelCalls } from './model-calls.js';

/** The reranker itself when it runs inside the process, else under breaker, rate limiter and budget. */
export function meterReranker(
  reranker: Reranker,
  calls: ModelCalls | null,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): Reranker {
  const { name, model } = reranker;
  if (name === 'onnx') return reranker;
  const metering: Metering = { calls: requireModelCalls(calls, 'reranker'), clock, timeoutMs };
  return {
    name,
    model,
    estimateMaxCost: (request) => reranker.estimateMaxCost(request),
    async rerank(request, { signal, billingContext }) {
      const maxCostMicroUsd = reranker.estimateMaxCost(request);
      const expectedTokens = estimateRerankTokens(request);
      const call = { operation: 'rerank', provider: name, model, maxCostMicroUsd, expectedTokens, signal } as const;
      return runMetered(metering, billingContext, call, (callSignal) =>
        reranker.rerank(request, { signal: callSignal }),
      );
    },
  };
}
