import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AnthropicError,
} from '@anthropic-ai/sdk';
import { CLAUDE_LIMIT_HEADERS } from '../../provider/parse-limit-headers.js';
import {
  isBodyReadError,
  TYPE_BY_STATUS,
  mapConnectionError,
  mapErrorResponse,
  mapUnknownError,
} from '../../provider/map-failure.js';
import type { LLMError, LLMErrorType } from '../../provider/llm-error.js';

const CONNECTION_ERRORS = {
  timeout: APIConnectionTimeoutError,
  abort: APIUserAbortError,
  connection: APIConnectionError,
};

/** A spend limit: a retry does not help (provider facts §2.3). `ramp_limit_exceeded` is a rate limit. */
const SPEND_LIMIT_CODES = new Set([
  'enforced_spend_limit_reached',
  'contract_spend_limit_reached',
  'linked_organization_spend_limit_reached',
  'linked_organization_billing_unavailable',
]);

/** Errors inside a stream have a type and no status. */
const TYPE_BY_NAME: Readonly<Record<string, LLMErrorType>> = {
  rate_limit_error: 'rate_limit',
  timeout_error: 'timeout',
  overloaded_error: 'transient',
  api_error: 'transient',
  conflict_error: 'transient',
  authentication_error: 'authentication',
  permission_error: 'authentication',
  billing_error: 'authentication',
  invalid_request_error: 'invalid_request',
  not_found_error: 'invalid_request',
};

const CLAUDE_TYPE_BY_STATUS: typeof TYPE_BY_STATUS = { ...TYPE_BY_STATUS, 409: 'transient', 499: 'transient' };

/**
 * Maps an error of the Anthropic SDK to an LLMError. `provider` is the provider's name in Annals. Error text of the
 * server is dropped, because servers quote the input in it.
 */
export function mapClaudeError(error: unknown, provider: string, now: number): LLMError {
  // Connection errors are APIErrors too, so they are checked first.
  const connectionError = mapConnectionError(error, CONNECTION_ERRORS, provider);
  if (connectionError) return connectionError;
  if (!(error instanceof APIError))
    return mapUnknownError(provider, isBodyReadError(error) || error instanceof AnthropicError);
  const type = isOverSpendLimit(error) ? 'spend_limit' : classifyError(error);
  return mapErrorResponse(error, { type, provider, limitHeaders: CLAUDE_LIMIT_HEADERS, now });
}

/** A spend limit set by the account is a 400 that only its message tells (provider facts §2.3). */
function isOverSpendLimit({ status, type, errorCode, apiMessage }: APIError): boolean {
  if (SPEND_LIMIT_CODES.has(errorCode ?? '') || status === 402 || type === 'billing_error') return true;
  return status === 400 && /\b(?:usage limits?|spend(?:ing)? limits?|credit balance)\b/i.test(apiMessage ?? '');
}

function classifyError({ status, type, apiMessage }: APIError): LLMErrorType {
  // Content filtering has no error type, only a message.
  if (status === 400 && /content filtering/i.test(apiMessage ?? '')) return 'policy';
  if (status === undefined) return TYPE_BY_NAME[type ?? ''] ?? 'transient';
  const byStatus = CLAUDE_TYPE_BY_STATUS[status];
  if (byStatus) return byStatus;
  if (status >= 500) return 'transient';
  return status >= 400 ? 'invalid_request' : 'unknown';
}
