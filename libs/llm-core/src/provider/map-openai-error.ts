import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { describeFailure, describeSpendLimit, describeUnreachable } from './describe-failure.js';
import { readPace } from './headers/read-pace.js';
import { OPENAI_LIMIT_HEADERS } from './headers/read-rate-limits.js';
import { isUnreadable } from './is-unreadable.js';
import { LLMError } from './llm-error.js';
import type { LLMErrorDetails, LLMErrorType } from './llm-error.js';
import { neverArrived } from './never-arrived.js';

/** A bill, not a pace: waiting does not help (provider facts §3.4). */
const SPEND_LIMIT_CODES = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
]);

const TYPE_BY_CODE: Readonly<Record<string, LLMErrorType>> = {
  rate_limit_exceeded: 'rate_limit',
  slow_down: 'rate_limit',
  content_policy_violation: 'policy',
  content_filter: 'policy',
  invalid_api_key: 'authentication',
  context_length_exceeded: 'invalid_request',
  invalid_prompt: 'invalid_request',
  model_not_found: 'invalid_request',
};

const TYPE_BY_STATUS: Readonly<Record<number, LLMErrorType>> = {
  401: 'authentication',
  402: 'authentication',
  403: 'authentication',
  408: 'timeout',
  409: 'transient',
  425: 'transient',
  429: 'rate_limit',
  504: 'timeout',
};

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
    const unsent = neverArrived(error) ? { sent: false as const } : {};
    return new LLMError('transient', describeUnreachable(provider), { provider, ...unsent });
  }
  if (error instanceof APIError) return mapAnswer(error, provider, now);
  if (isUnreadable(error)) {
    return new LLMError('transient', `${provider} answered with something that could not be read.`, { provider });
  }
  return new LLMError('unknown', `The call to ${provider} failed.`, { provider });
}

function mapAnswer(error: APIError, provider: string, now: number): LLMError {
  const { status, headers } = error;
  const isSpendLimit = status === 402 || [error.code, error.type].some((code) => SPEND_LIMIT_CODES.has(code ?? ''));
  const type = isSpendLimit ? 'authentication' : readType(error);
  const details: LLMErrorDetails = { provider };
  if (status !== undefined) details.status = status;
  if (error.requestID) details.providerRequestId = error.requestID;
  // The headers of a broken stream were sent before anything went wrong: they hold no hint for it.
  if (headers && status !== undefined && !isSpendLimit) {
    Object.assign(details, readPace(headers, OPENAI_LIMIT_HEADERS, type, now));
  }
  return new LLMError(
    type,
    isSpendLimit ? describeSpendLimit(provider) : describeFailure(type, provider, status),
    details,
  );
}

function readType({ status, code, type }: APIError): LLMErrorType {
  // 503 with `slow_down` is an overloaded server, whatever its code says.
  if (status !== undefined && status >= 500) return TYPE_BY_STATUS[status] ?? 'transient';
  const byCode = TYPE_BY_CODE[code ?? ''] ?? TYPE_BY_CODE[type ?? ''];
  if (byCode) return byCode;
  if (status === undefined) return type === 'invalid_request_error' ? 'invalid_request' : 'transient';
  return TYPE_BY_STATUS[status] ?? (status >= 400 ? 'invalid_request' : 'unknown');
}
