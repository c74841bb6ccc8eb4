/** Every error that the client throws, except for a `TypeError` of wrong arguments. */
export abstract class AnnalsError extends Error {}

/** No response arrived, or it broke off: the server may or may not have done what the request asks for. */
export class ConnectionError extends AnnalsError {
  override readonly name = 'ConnectionError';
}

/** No response arrived within `timeoutMs`, or what was waited for did not happen within it. */
export class TimeoutError extends AnnalsError {
  override readonly name = 'TimeoutError';
}

/** The caller's `signal` was aborted; `cause` is its reason. */
export class AbortError extends AnnalsError {
  override readonly name = 'AbortError';
}

/** The response is not one of Annals: that of a proxy, or of another server at `baseUrl`. */
export class UnexpectedResponseError extends AnnalsError {
  override readonly name = 'UnexpectedResponseError';
  constructor(
    message: string,
    readonly status: number,
    /** From `Retry-After`, if the response names a time. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message);
  }
}
