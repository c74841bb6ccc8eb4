import type { BillingContext, LLMProvider, LLMRequest, LLMResponse } from '@annals/llm-core';
import type { CallBatch, ModelCall } from './model-calls.js';

/** A call of a language model for a batch. */
export interface PromptCall<T> extends Omit<
  ModelCall<T>,
  'tenantId' | 'userId' | 'batch' | 'provider' | 'model' | 'maxCostMicroUsd' | 'invoke'
> {
  readonly provider: LLMProvider;
  /** `maxOutputTokens` is that of the configuration; the model's own limit may be lower. */
  readonly request: Omit<LLMRequest, 'signal'>;
  /** Sends the request once. */
  readonly send: (request: LLMRequest) => Promise<T>;
}

/** Builds the call with its maximum cost; its answer is settled by the response's usage and cost. */
export function buildPromptCall<T extends { readonly response: LLMResponse }>(
  {
    tenantId,
    userId,
    batchId,
    fence,
    generation,
    isTrial,
  }: Pick<ModelCall<T>, 'tenantId' | 'userId'> & CallBatch & { readonly isTrial?: true },
  call: PromptCall<T>,
): ModelCall<T> {
  const batch = isTrial ? null : { batchId, fence, generation };
  return buildBilledCall({ tenantId, userId, batch }, call);
}

/** The same for a call that belongs to no batch, or to nobody. */
export function buildBilledCall<T extends { readonly response: LLMResponse }>(
  billing: Readonly<BillingContext>,
  { provider, request, send, ...call }: PromptCall<T>,
): ModelCall<T> {
  const maxOutputTokens = Math.min(request.maxOutputTokens, provider.getCapabilities().maxOutputTokens);
  const build = (signal: AbortSignal): LLMRequest => ({ ...request, maxOutputTokens, signal });
  return {
    ...call,
    ...billing,
    provider: provider.name,
    model: provider.model,
    maxCostMicroUsd: provider.estimateMaxCost(build(call.signal)),
    invoke: async (signal) => {
      const value = await send(build(signal));
      const { usage, costMicroUsd, rateLimits } = value.response;
      return { value, usage, costMicroUsd, rateLimits };
    },
  };
}
