import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { OPENAI_LIMIT_HEADERS } from './parse-limit-headers.js';
import {
  isBodyReadError,
  TYPE_BY_STATUS,
  mapConnectionError,
  mapErrorResponse,
  mapUnknownError,
} from './map-failure.js';
import type { LLMError, LLMErrorType } from './llm-error.js';

const CONNECTION_ERRORS = {
  timeout: APIConnectionTimeoutError,
  abort: APIUserAbortError,
  connection: APIConnectionError,
};

/** A spend limit, not a rate limit: waiting does not help (provider facts §3.4). */
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

const OPENAI_TYPE_BY_STATUS: typeof TYPE_BY_STATUS = { ...TYPE_BY_STATUS, 409: 'transient', 425: 'transient' };

/**
 * Maps an error of the OpenAI SDK to an LLMError. `provider` is the provider's name in Annals. Error text of the server
 * is dropped, because servers quote the input in it.
 */
export function mapOpenAIError(error: unknown, provider: string, now: number): LLMError {
  // Connection errors are APIErrors too, so they are checked first.
  const connectionError = mapConnectionError(error, CONNECTION_ERRORS, provider);
  if (connectionError) return connectionError;
  if (!(error instanceof APIError)) return mapUnknownError(provider, isBodyReadError(error));
  const type = isOverSpendLimit(error) ? 'spend_limit' : classifyError(error);
  return mapErrorResponse(error, { type, provider, limitHeaders: OPENAI_LIMIT_HEADERS, now });
}

function isOverSpendLimit({ status, code, type }: APIError): boolean {
  return status === 402 || [code, type].some((name) => SPEND_LIMIT_CODES.has(name ?? ''));
}

function classifyError({ status, code, type }: APIError): LLMErrorType {
  // 503 with `slow_down` means an overloaded server, not a rate limit.
  if (status !== undefined && status >= 500) return OPENAI_TYPE_BY_STATUS[status] ?? 'transient';
  const byCode = TYPE_BY_CODE[code ?? ''] ?? TYPE_BY_CODE[type ?? ''];
  if (byCode) return byCode;
  if (status === undefined) return type === 'invalid_request_error' ? 'invalid_request' : 'transient';
  return OPENAI_TYPE_BY_STATUS[status] ?? (status >= 400 ? 'invalid_request' : 'unknown');
}
