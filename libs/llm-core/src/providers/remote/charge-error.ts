import { LLMError } from '../../provider/llm-error.js';
import type { LLMErrorDetails } from '../../provider/llm-error.js';
import type { ReceivedAnswer } from './received-answer.js';

/** The same failure with what it used and what the headers of its answer said. */
export function chargeError(
  error: LLMError,
  charge: Required<Pick<LLMErrorDetails, 'usage' | 'costMicroUsd'>>,
  { rateLimits, providerRequestId }: Pick<ReceivedAnswer, 'rateLimits' | 'providerRequestId'>,
): LLMError {
  const { type, message, name: _name, ...details } = error;
  return new LLMError(type, message, {
    ...(rateLimits ? { rateLimits } : {}),
    ...(providerRequestId ? { providerRequestId } : {}),
    ...details,
    ...charge,
  });
}
