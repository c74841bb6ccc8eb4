/** Of every request. */
export interface RequestOptions {
  /** Ends the request, and the waits between retries, with an `AbortError`. */
  readonly signal?: AbortSignal;
  /** How long one attempt may take; of a stream, how long it may be silent. `Infinity`: no limit. */
  readonly timeoutMs?: number;
  /** How often a request that failed in passing is sent again. */
  readonly maxRetries?: number;
  /** Sent in addition; these replace the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Your id for the request, of 8 to 128 characters: in errors and in the server's logs. */
  readonly requestId?: string;
}

/** Of a request that takes effect once, however often it is sent. */
export interface WriteOptions extends RequestOptions {
  /** Made for each call unless given. Give one to repeat a call in another process without a second effect. */
  readonly idempotencyKey?: string;
}

/** Of a request that can be made conditional. */
export interface ConditionalWriteOptions extends WriteOptions {
  /** The revision that you have read. If it has changed since: `RevisionConflictError`, and nothing is changed. */
  readonly ifMatch?: number;
}

/** One call of a route. The generated methods make these. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for each of `params`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Accepts an `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Changes nothing, although it is no GET. */
  readonly readOnly?: boolean;
  /** Statuses above 299 that are answers and no errors. */
  readonly answers?: readonly number[];
  readonly options?: ConditionalWriteOptions | undefined;
}

/** Whether the request may be sent twice: it changes nothing, takes effect once, or has the same effect again (PUT). */
export function isRepeatable({ method, readOnly, idempotent }: Call): boolean {
  return method === 'GET' || method === 'PUT' || readOnly === true || idempotent === true;
}
