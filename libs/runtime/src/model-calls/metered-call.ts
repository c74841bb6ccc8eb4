import type { Clock } from '@annals/domain';
import { type BillingContext, LLMError } from '@annals/llm-core';
import type { ModelCall, ModelCalls, RefusedCall } from './model-calls.js';

/** What embedders and rerankers that run outside the process are called through. */
export interface Metering {
  readonly calls: ModelCalls;
  readonly clock: Clock;
  /**
   * Timeout of one call, in ms. Shorter than the caller's own timeout: a hanging server must count as a failure of the
   * provider, not as an abort by the caller.
   */
  readonly timeoutMs: number;
}

interface MeteredAnswer {
  readonly usage: { readonly inputTokens: number; readonly estimated?: true; readonly costMicroUsd: number };
}

type MeteredCall = Pick<
  ModelCall<unknown>,
  'operation' | 'provider' | 'model' | 'maxCostMicroUsd' | 'expectedTokens' | 'signal'
>;

/** @throws Error that says what to configure, for a process without model calls */
export function requireModelCalls(calls: ModelCalls | null, kind: 'embedder' | 'reranker'): ModelCalls {
  if (calls) return calls;
  throw new Error(
    `A remote ${kind} requires the configuration of model calls: load the fragments "budgets" and "circuit".`,
  );
}

/**
 * Calls a server under circuit breaker, rate limiter and budget (docs/reference/budgets.md#embedding-and-rerank-calls-count)
 * and settles the call as soon as it responds, whatever the answer is used for. A refusal is an LLMError too, since
 * callers continue without a result either way.
 * @throws LLMError, with `budget_exceeded` when the call would exceed a budget, CoordinationUnavailableError,
 * DatabaseUnavailableError, or the reason of the aborted signal
 */
export async function runMetered<T extends MeteredAnswer>(
  { calls, clock, timeoutMs }: Metering,
  billingContext: BillingContext | undefined,
  call: MeteredCall,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!billingContext) throw new Error(`A metered call (${call.operation}) requires options.billingContext.`);
  const result = await calls.run<T>({
    ...billingContext,
    ...call,
    timeoutMs,
    invoke: async (signal) => {
      const value = await request(signal);
      const { inputTokens, estimated, costMicroUsd } = value.usage;
      return { value, usage: { inputTokens, outputTokens: 0, ...(estimated && { estimated }) }, costMicroUsd };
    },
  });
  if (result.outcome === 'failed') throw result.error;
  if (result.outcome === 'refused') throw explainRefusal(result, call.provider, clock.now());
  // Only the settlement is left, and it never fails the caller.
  await result.close('not_written');
  return result.value;
}

/** A refused call as an error: what the caller of a model can say of it. */
export function explainRefusal(refusal: RefusedCall, provider: string, now: number): LLMError {
  switch (refusal.why) {
    case 'budget':
    case 'budget_too_small':
      return new LLMError(
        'budget_exceeded',
        'The call would exceed the budget for model calls. Raise the budget, or wait for the next budget day.',
        { provider },
      );
    case 'rate':
      return new LLMError('rate_limit', `The rate limiter delays calls to ${provider}. Retry later.`, {
        provider,
        retryAfterMs: refusal.retryInMs,
        sent: false,
      });
    case 'circuit':
      return new LLMError(
        'transient',
        `The circuit breaker for ${provider} is open after too many failures. Retry later.`,
        { provider, retryAfterMs: Math.max(0, refusal.retryAt - now), sent: false },
      );
  }
}
