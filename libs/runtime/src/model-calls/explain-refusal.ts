import { LLMError } from '@annals/llm-core';
import type { RefusedCall } from './model-calls.js';

/**
 * Turns the refusal of a call into an LLMError, for callers that continue without a result either way. `now` is epoch
 * ms.
 */
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
      });
    case 'circuit':
      return new LLMError(
        'transient',
        `The circuit breaker for ${provider} is open after too many failures. Retry later.`,
        {
          provider,
          retryAfterMs: Math.max(0, refusal.retryAt - now),
        },
      );
  }
}
