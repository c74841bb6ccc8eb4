import type { LLMErrorDetails, LLMErrorType } from '../llm-error.js';
import type { RateLimitReport } from '../rate-limit-report.js';
import { clampWaitMs } from './clamp-wait-ms.js';
import { parseRateLimits } from './parse-rate-limits.js';
import { parseRetryAfter } from './parse-retry-after.js';

export type BackoffHint = Pick<LLMErrorDetails, 'retryAfterMs' | 'derivedRetry' | 'rateLimits'>;

/**
 * Parses when to retry from the headers of a failed call: Retry-After, or for a rate limit without it the reset time of
 * the exhausted limit (`derivedRetry`, docs/reference/model-calls.md#retry-hint-of-a-provider). `now` is epoch ms.
 */
export function parseBackoffHint(
  headers: Headers,
  names: Parameters<typeof parseRateLimits>[1],
  type: LLMErrorType,
  now: number,
): BackoffHint {
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
