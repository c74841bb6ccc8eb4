import type { LLMErrorDetails, LLMErrorType } from './llm-error.js';
import type { RateLimitReport, ReportedLimit } from './llm-response.js';

type BackoffHint = Pick<LLMErrorDetails, 'retryAfterMs' | 'derivedRetry' | 'rateLimits'>;

/**
 * Parses when to retry from the headers of a failed call: Retry-After, or for a rate limit without it the reset time of
 * the exhausted limit (`derivedRetry`, docs/reference/model-calls.md#retry-hint-of-a-provider). `now` is epoch ms.
 */
export function parseBackoffHint(headers: Headers, names: HeaderNames, type: LLMErrorType, now: number): BackoffHint {
  const limits = parseRateLimits(headers, names, now);
  const hint: BackoffHint = limits ? { rateLimits: limits } : {};
  const requested = parseRetryAfter(headers, now);
  if (requested !== undefined) hint.retryAfterMs = clampWaitMs(requested);
  if (type !== 'rate_limit') return hint;
  const derived = requested === undefined && limits ? deriveRetry(limits, now) : undefined;
  if (derived !== undefined) {
    hint.retryAfterMs = derived;
    hint.derivedRetry = true;
  }
  if (hint.retryAfterMs !== undefined) hint.rateLimits = { ...limits, blockedUntil: now + hint.retryAfterMs };
  return hint;
}

/** If requests remain, the token limit was the reason: the call needed more tokens than remained. */
function deriveRetry({ requests, tokens }: RateLimitReport, now: number): number | undefined {
  const exhausted = [requests, tokens].filter((limit) => limit?.remaining === 0);
  const resets = (exhausted.length > 0 ? exhausted : [tokens ?? requests]).map((limit) => limit?.resetAt ?? now);
  const wait = Math.max(...resets) - now;
  return wait > 0 ? wait : undefined;
}

/**
 * Parses how long the server requests to wait, in ms: `retry-after-ms`, otherwise `retry-after` in seconds or as an
 * HTTP date. `now` is epoch ms. Undefined if neither header can be parsed.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const inMs = parseNumber(headers.get('retry-after-ms'));
  if (inMs !== undefined) return inMs;
  const text = headers.get('retry-after');
  const seconds = parseNumber(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function parseNumber(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** Builds the header name of one figure of a limit. */
type HeaderName = (figure: 'limit' | 'remaining' | 'reset') => string;

export interface HeaderNames {
  requests: HeaderName;
  /** In order of preference. */
  tokens: readonly HeaderName[];
}

// Claude's `tokens` is the tightest of its token limits; accounts without it have the input token limit.
export const CLAUDE_LIMIT_HEADERS: HeaderNames = {
  requests: (figure) => `anthropic-ratelimit-requests-${figure}`,
  tokens: ['tokens', 'input-tokens'].map((name) => (figure) => `anthropic-ratelimit-${name}-${figure}`),
};

export const OPENAI_LIMIT_HEADERS: HeaderNames = {
  requests: (figure) => `x-ratelimit-${figure}-requests`,
  tokens: [(figure) => `x-ratelimit-${figure}-tokens`],
};

/** Limits are per minute: a limit whose reset cannot be parsed is reset after one minute at the latest. */
const MINUTE_MS = 60_000;

/** Parses the rate limits; undefined if the headers contain none. `now` is epoch ms. */
export function parseRateLimits(headers: Headers, names: HeaderNames, now: number): RateLimitReport | undefined {
  const requests = parseLimit(headers, names.requests, now);
  const tokens = names.tokens.map((name) => parseLimit(headers, name, now)).find((limit) => limit !== undefined);
  return requests || tokens ? { ...(requests && { requests }), ...(tokens && { tokens }) } : undefined;
}

function parseLimit(headers: Headers, name: HeaderName, now: number): ReportedLimit | undefined {
  const limit = parseCount(headers.get(name('limit')));
  const remaining = parseCount(headers.get(name('remaining')));
  if (limit === undefined || remaining === undefined) return undefined;
  const resetAt = parseReset(headers.get(name('reset')), now) ?? now + MINUTE_MS;
  return { limit, remaining, resetAt: now + clampWaitMs(resetAt - now) };
}

/** Azure sends -1 for unknown figures. */
function parseCount(text: string | null): number | undefined {
  return text !== null && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const GO_DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/;

/**
 * Parses a reset header to the time (epoch ms) at which a limit is reset: an RFC 3339 time (Claude), a Go duration such
 * as `6m0s`, `2m59.56s` or `12ms` (OpenAI), or bare seconds (Azure). `now` is epoch ms. Undefined for anything else,
 * such as Azure's `-1`.
 */
export function parseReset(text: string | null, now: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return now + Math.ceil(Number(value) * 1_000);
  if (GO_DURATION.test(value)) return now + Math.ceil(sumParts(value));
  if (!/^\d{4}-\d{2}-\d{2}T/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(now, at);
}

function sumParts(duration: string): number {
  let total = 0;
  for (const [, amount, unit] of duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return total;
}

/**
 * Maximum time in ms (one hour) for which a header may stop all calls to a provider. A longer wait is clamped, because
 * one wrong header or a clock that is years off must not stop all work unnoticed.
 */
const MAX_WAIT_MS = 3_600_000;

function clampWaitMs(ms: number): number {
  return Math.min(Math.ceil(ms), MAX_WAIT_MS);
}
