import type { CallOperation } from '@annals/contracts';
import {
  LLMError,
  type LLMProvider,
  type LLMRequest,
  type LLMResponse,
  type ModelPrompt,
  NO_CONVERSATION,
} from '@annals/llm-core';
import type { WithoutSlot, ModelCall, ModelCalls } from '@annals/runtime';

/** Parameters of a follow-up call about an answer. */
export interface FollowUpRequest {
  readonly modelCalls: ModelCalls;
  /** The model that gave the answer. */
  readonly provider: LLMProvider;
  readonly batch: {
    readonly tenantId: string;
    readonly userId: string;
    readonly batchId: string;
    readonly fence: number;
    readonly generation: number;
  };
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly withoutSlot: WithoutSlot;
}

export interface FollowUpCall<T> {
  readonly operation: CallOperation;
  readonly task: LLMRequest['task'];
  readonly prompt: ModelPrompt;
  /** Estimate, for the rate limiter. */
  readonly expectedOutputTokens: number;
  /** Parses the answer. Throws an LLMError when it is unreadable. */
  readonly read: (response: LLMResponse) => T;
}

/** The parsed answer, or why there is none. */
export type FollowUpAnswer<T> =
  { readonly answered: true; readonly value: T } | { readonly answered: false; readonly why: string };

/**
 * Makes one call without retries, through the ledger. Never throws, since the first answer is paid for and is written
 * in any case. The cost is settled as soon as the answer has arrived.
 */
export async function requestOnce<T>(
  { modelCalls, provider, batch, timeoutMs, signal, withoutSlot, ...options }: FollowUpRequest,
  { operation, task, prompt, expectedOutputTokens, read }: FollowUpCall<T>,
): Promise<FollowUpAnswer<T>> {
  const { tenantId, userId, batchId, fence, generation } = batch;
  const maxOutputTokens = Math.min(options.maxOutputTokens, provider.getCapabilities().maxOutputTokens);
  const build = (callSignal: AbortSignal): LLMRequest => ({
    requestId: `${batchId}-${fence}-${operation}`,
    task,
    conversation: NO_CONVERSATION,
    prompt,
    maxOutputTokens,
    signal: callSignal,
  });
  try {
    const call: ModelCall<LLMResponse> = {
      tenantId,
      userId,
      batch: { batchId, fence, generation },
      operation,
      provider: provider.name,
      model: provider.model,
      maxCostMicroUsd: provider.estimateMaxCost(build(signal)),
      expectedTokens: provider.estimateTokens(prompt.system + prompt.user) + expectedOutputTokens,
      timeoutMs,
      signal,
      invoke: async (callSignal) => {
        const response = await provider.send(build(callSignal));
        const { usage, costMicroUsd, rateLimits } = response;
        return { value: response, usage, costMicroUsd, rateLimits };
      },
    };
    const result = await withoutSlot(() => modelCalls.run(call));
    if (result.outcome === 'failed') return { answered: false, why: result.error.type };
    if (result.outcome === 'refused') return { answered: false, why: result.why };
    await result.close('not_written');
    return { answered: true, value: read(result.value) };
  } catch (error) {
    return { answered: false, why: error instanceof LLMError ? error.type : 'unavailable' };
  }
}
