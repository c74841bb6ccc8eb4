import { isNativeError } from 'node:util/types';
import { type HeaderNames, parseBackoffHint } from './parse-limit-headers.js';
import { LLMError, type LLMErrorDetails, type LLMErrorType } from './llm-error.js';

type ErrorClass = abstract new (...args: never[]) => Error;

/** Error classes of an SDK for failures without a response; each SDK has its own classes with the same names. */
interface ConnectionErrors {
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
  return error instanceof connection ? mapNetworkError(error, provider) : undefined;
}

/** Maps an error of a connection: the request certainly never arrived, or may have. */
export function mapNetworkError(error: unknown, provider: string): LLMError {
  const message = `${provider} could not be reached: check its base URL and the network.`;
  return new LLMError('transient', message, { provider, ...(isUnsentRequestError(error) && { sent: false }) });
}

/** What an SDK knows about an error response. `status` is undefined for an error inside a stream. */
interface ApiErrorResponse {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly requestID: string | null | undefined;
}

/** How to classify the error. `now` is epoch ms. */
interface ErrorClassification {
  readonly type: LLMErrorType | 'spend_limit';
  readonly provider: string;
  readonly limitHeaders: HeaderNames;
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
  if (type === 'spend_limit') {
    // Neither a retry nor another key of the same account helps.
    const message = `The account at ${provider} has reached its spend limit or has no balance left: raise the limit or add credit there.`;
    return new LLMError('authentication', message, details);
  }
  // The headers of a stream were sent before the error occurred: they contain no hint for it.
  if (headers && status !== undefined) Object.assign(details, parseBackoffHint(headers, limitHeaders, type, now));
  return new LLMError(type, describeFailure(type, provider, status), details);
}

/** Statuses that mean the same in every API; each adds its own. */
export const TYPE_BY_STATUS: Readonly<Record<number, LLMErrorType>> = {
  401: 'authentication',
  402: 'authentication',
  403: 'authentication',
  408: 'timeout',
  429: 'rate_limit',
  504: 'timeout',
};

/** The type of an error response of a server about whose statuses nothing more is known. */
export function typeOfStatus(status: number): LLMErrorType {
  return TYPE_BY_STATUS[status] ?? (status >= 500 ? 'transient' : 'invalid_request');
}

/** Maps any other error thrown while a response was read. */
export function mapUnknownError(provider: string, isUnreadable: boolean): LLMError {
  return isUnreadable
    ? new LLMError('transient', `${provider} sent a response that could not be parsed.`, { provider })
    : new LLMError('unknown', `The call to ${provider} failed.`, { provider });
}

/**
 * Describes a failed call in one sentence for operators, with what to do about it where possible. `status` is undefined
 * for an error inside a response stream.
 */
export function describeFailure(type: LLMErrorType, provider: string, status: number | undefined): string {
  const answered =
    status === undefined
      ? `${provider} reported an error in its response stream`
      : `${provider} answered with status ${status}`;
  switch (type) {
    case 'authentication':
      return `${answered}: check its API key and the key's permissions.`;
    case 'rate_limit':
      return `${answered}: too many requests.`;
    case 'invalid_request':
      return `${answered}: it does not accept the request. Check the model's name and the base URL.`;
    case 'policy':
      return `${answered}: its content policy rejects the request.`;
    default:
      return `${answered}.`;
  }
}

/** How Node marks failures to connect: by system call, or by error code. */
const CONNECTING = new Set(['connect', 'getaddrinfo']);
const NOT_CONNECTED = new Set(['UND_ERR_CONNECT_TIMEOUT']);

/**
 * Whether it is certain that a request never reached a server: connection refused, host not found, no route. Also
 * checks the causes that `fetch` and the SDKs wrap around the error.
 */
export function isUnsentRequestError(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (CONNECTING.has(syscall ?? '') || NOT_CONNECTED.has(code ?? '')) return true;
  // An AggregateError has one error for each address of the host; all of them must be connection failures.
  const { errors } = error as Partial<AggregateError>;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isUnsentRequestError);
  return isUnsentRequestError(error.cause);
}

/**
 * Whether the error means that a response body is not JSON or that the connection broke while it was read, as `fetch`
 * throws and the SDKs pass on. Checked by name, because these errors may come from another realm.
 */
export function isBodyReadError(error: unknown): boolean {
  return isNativeError(error) && (error.name === 'SyntaxError' || error.name === 'TypeError');
}
