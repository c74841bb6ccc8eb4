import { AnnalsError, ConnectionError, TimeoutError, UnexpectedResponseError } from '../errors/annals-error.js';
import { ProblemError } from '../errors/problem-error.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** When the server asks for more, the caller decides: waiting that long would look like a hang. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Spreads clients that were refused together. */
const RETRY_AFTER_JITTER = 0.1;

/**
 * How long to wait before a request is sent again, or null when it should not be. `retries`: how often it was sent again
 * so far. `random`: 0 to 1.
 */
export function planRetry(error: AnnalsError, retries: number, random: number): number | null {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return backOff(retries, random);
  if (!(error instanceof ProblemError || error instanceof UnexpectedResponseError) || !isPassing(error)) return null;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return backOff(retries, random);
  return retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs * (1 + RETRY_AFTER_JITTER * random) : null;
}

/** Each further attempt would call models, and be charged, again. */
const CHARGED_AGAIN: ReadonlySet<string> = new Set(['dry_run_failed', 'dry_run_timeout']);

function isPassing(error: ProblemError | UnexpectedResponseError): boolean {
  const { status } = error;
  if (error instanceof ProblemError && CHARGED_AGAIN.has(error.code)) return false;
  if (status === 408 || status === 429 || status >= 500) return true;
  // The attempt before lost its connection, and the server is still at it.
  return error instanceof ProblemError && error.code === 'idempotency_in_flight';
}

/** Doubles with each retry; between half of that and all of it. */
export function backOff(retries: number, random: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** retries, MAX_DELAY_MS) * (0.5 + random / 2);
}

/** `Retry-After` in ms: seconds, or a date; undefined for anything else. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
