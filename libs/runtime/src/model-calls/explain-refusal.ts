import { LLMError } from '@annals/llm-core';
import type { RefusedCall } from './model-calls.js';

/** A call that was not admitted, as an error, for callers that do without the answer either way. `now` is epoch ms. */
export function explainRefusal(refusal: RefusedCall, provider: string, now: number): LLMError {
  switch (refusal.why) {
    case 'budget':
    case 'budget_too_small':
      return new LLMError('budget_exceeded', 'The budget for calls of models has no room for this one.', { provider });
    case 'rate':
      return new LLMError('rate_limit', `Calls of ${provider} are paced below its limits.`, {
        provider,
        retryAfterMs: refusal.retryInMs,
      });
    case 'circuit':
      return new LLMError('transient', `${provider} failed too often; it is asked again in a while.`, {
        provider,
        retryAfterMs: Math.max(0, refusal.retryAt - now),
      });
  }
}
