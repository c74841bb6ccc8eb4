import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { LLMError } from './llm-error.js';
import type { LLMErrorDetails, LLMErrorType } from './llm-error.js';
import { readRetryAfter } from './read-retry-after.js';

/** A 429 with one of these is a bill, not a pace: waiting does not help (provider facts §3.4). */
const QUOTA_CODES = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
]);

/**
 * What the OpenAI SDK threw, in our taxonomy. `provider` is our name of the provider. Text of the answer is dropped:
 * servers quote the input in their error messages.
 */
export function mapOpenAIError(error: unknown, provider: string, now: number): LLMError {
  if (error instanceof LLMError) return error;
  // The connection errors are APIErrors too, so they are told apart first.
  if (error instanceof APIConnectionTimeoutError) {
    return new LLMError('timeout', `${provider} did not answer in time.`, { provider });
  }
  if (error instanceof APIUserAbortError) {
    return new LLMError('unknown', `The call to ${provider} was aborted.`, { provider });
  }
  if (error instanceof APIConnectionError) {
    return new LLMError('transient', `${provider} could not be reached.`, { provider });
  }
  if (error instanceof APIError) return mapStatus(error, provider, now);
  // A body that is not JSON, or a socket cut while it was read.
  if (error instanceof SyntaxError || error instanceof TypeError) {
    return new LLMError('transient', `${provider} answered with something that could not be read.`, { provider });
  }
  return new LLMError('unknown', `The call to ${provider} failed.`, { provider });
}

function mapStatus(error: APIError, provider: string, now: number): LLMError {
  const { status } = error;
  const type = readType(status, error);
  const details: LLMErrorDetails = { provider };
  if (status !== undefined) details.status = status;
  const requestId = error.requestID;
  if (requestId) details.providerRequestId = requestId;
  const retryAfterMs = error.headers ? readRetryAfter(error.headers, now) : undefined;
  if (retryAfterMs !== undefined) details.retryAfterMs = retryAfterMs;
  return new LLMError(type, describe(type, provider, status), details);
}

function readType(status: number | undefined, error: APIError): LLMErrorType {
  if (status === undefined) return 'transient';
  if (status === 401 || status === 403) return 'authentication';
  if (status === 408) return 'timeout';
  if (status === 429) return isQuota(error) ? 'authentication' : 'rate_limit';
  if (status === 409 || status >= 500) return 'transient';
  if (error.code === 'content_policy_violation' || error.code === 'content_filter') return 'policy';
  return status >= 400 ? 'invalid_request' : 'unknown';
}

function isQuota({ code, type }: APIError): boolean {
  return QUOTA_CODES.has(code ?? '') || QUOTA_CODES.has(type ?? '');
}

function describe(type: LLMErrorType, provider: string, status: number | undefined): string {
  const answered = `${provider} answered with status ${status ?? 'unknown'}`;
  switch (type) {
    case 'authentication':
      return `${answered}: check its API key, its permissions and its account's balance.`;
    case 'rate_limit':
      return `${answered}: too many requests.`;
    case 'invalid_request':
      return `${answered}: it does not accept the request. Check the model's name and the base URL.`;
    default:
      return `${answered}.`;
  }
}
