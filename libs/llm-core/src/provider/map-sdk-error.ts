import { describeFailure, describeSpendLimit, describeUnreachable } from './describe-failure.js';
import { parseBackoffHint } from './headers/parse-backoff-hint.js';
import { LLMError } from './llm-error.js';
import type { LLMErrorDetails, LLMErrorType } from './llm-error.js';
import { isUnsentRequestError } from './is-unsent-request-error.js';

type ErrorClass = abstract new (...args: never[]) => Error;

/** Error classes of an SDK for failures without a response; each SDK has its own classes with the same names. */
export interface ConnectionErrors {
  readonly timeout: ErrorClass;
  readonly abort: ErrorClass;
  readonly connection: ErrorClass;
}

/** Maps an error that an SDK threw before the server responded; undefined for any other error. */
export function mapConnectionError(
  error: unknown,
  { timeout, abort, connection }: ConnectionErrors,
  provider: string,
): LLMError | undefined {
  if (error instanceof LLMError) return error;
  if (error instanceof timeout) return new LLMError('timeout', `${provider} did not answer in time.`, { provider });
  if (error instanceof abort) return new LLMError('unknown', `The call to ${provider} was aborted.`, { provider });
  if (!(error instanceof connection)) return undefined;
  const unsent = isUnsentRequestError(error) ? { sent: false as const } : {};
  return new LLMError('transient', describeUnreachable(provider), { provider, ...unsent });
}

/** What an SDK knows about an error response. `status` is undefined for an error inside a stream. */
export interface ApiErrorResponse {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly requestID: string | null | undefined;
}

/** How to classify the error. `now` is epoch ms. */
export interface ErrorClassification {
  readonly type: LLMErrorType | 'spend_limit';
  readonly provider: string;
  readonly limitHeaders: Parameters<typeof parseBackoffHint>[1];
  readonly now: number;
}

/** Maps an error response, with the retry hint of its headers. */
export function mapErrorResponse(
  { status, headers, requestID }: ApiErrorResponse,
  { type, provider, limitHeaders, now }: ErrorClassification,
): LLMError {
  const details: LLMErrorDetails = { provider };
  if (status !== undefined) details.status = status;
  if (requestID) details.providerRequestId = requestID;
  if (type === 'spend_limit') return new LLMError('authentication', describeSpendLimit(provider), details);
  // The headers of a stream were sent before the error occurred: they contain no hint for it.
  if (headers && status !== undefined) Object.assign(details, parseBackoffHint(headers, limitHeaders, type, now));
  return new LLMError(type, describeFailure(type, provider, status), details);
}

/** Maps any other error thrown while a response was read. */
export function mapUnknownError(provider: string, isBodyReadError: boolean): LLMError {
  return isBodyReadError
    ? new LLMError('transient', `${provider} sent a response that could not be parsed.`, { provider })
    : new LLMError('unknown', `The call to ${provider} failed.`, { provider });
}
