import { describeFailure, describeUnreachable } from '../../provider/describe-failure.js';
import { LLMError, type LLMErrorType } from '../../provider/llm-error.js';
import { isUnsentRequestError } from '../../provider/is-unsent-request-error.js';

const TYPE_BY_STATUS: Readonly<Record<number, LLMErrorType>> = {
  401: 'authentication',
  402: 'authentication',
  403: 'authentication',
  408: 'timeout',
  429: 'rate_limit',
  504: 'timeout',
};
const MAX_RETRY_AFTER_S = 3_600;

/** Maps an error status to an LLMError. The body is dropped, because servers quote the input in error messages. */
export function mapHttpStatus({ status, headers }: Response, provider: string): LLMError {
  const type = TYPE_BY_STATUS[status] ?? (status >= 500 ? 'transient' : 'invalid_request');
  const seconds = Number(headers.get('retry-after'));
  const hint = seconds > 0 && seconds <= MAX_RETRY_AFTER_S ? { retryAfterMs: seconds * 1_000 } : {};
  return new LLMError(type, describeFailure(type, provider, status), { provider, status, ...hint });
}

/** Maps an error thrown by `fetch` or while the body was read. */
export function mapHttpError(error: unknown, provider: string): LLMError {
  if (error instanceof LLMError) return error;
  const unsent = isUnsentRequestError(error) ? { sent: false as const } : {};
  return new LLMError('transient', describeUnreachable(provider), { provider, ...unsent });
}
