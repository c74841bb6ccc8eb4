import type { LLMErrorDetails, LLMErrorType } from '../llm-error.js';
import type { RateLimitReport } from '../rate-limit-report.js';
import { limitWait } from './limit-wait.js';
import { readRateLimits } from './read-rate-limits.js';
import { readRetryAfter } from './read-retry-after.js';

export type Pace = Pick<LLMErrorDetails, 'retryAfterMs' | 'derivedRetry' | 'rateLimits'>;

/**
 * What the headers of a failed call say about when to come back: Retry-After, and for a rate limit without it the
 * reset of what ran out (`derivedRetry`, decision 14). `now` is epoch ms.
 */
export function readPace(
  headers: Headers,
  names: Parameters<typeof readRateLimits>[1],
  type: LLMErrorType,
  now: number,
): Pace {
  const limits = readRateLimits(headers, names, now);
  const pace: Pace = limits ? { rateLimits: limits } : {};
  const asked = readRetryAfter(headers, now);
  if (asked !== undefined) pace.retryAfterMs = limitWait(asked);
  if (type !== 'rate_limit') return pace;
  const derived = asked === undefined && limits ? deriveRetry(limits, now) : undefined;
  if (derived !== undefined) {
    pace.retryAfterMs = derived;
    pace.derivedRetry = true;
  }
  if (pace.retryAfterMs !== undefined) pace.rateLimits = { ...limits, blockedUntil: now + pace.retryAfterMs };
  return pace;
}

/** Requests that are left cannot have been the reason, so it was tokens, of which fewer were left than asked for. */
function deriveRetry({ requests, tokens }: RateLimitReport, now: number): number | undefined {
  const exhausted = [requests, tokens].filter((limit) => limit?.remaining === 0);
  const resets = (exhausted.length > 0 ? exhausted : [tokens ?? requests]).map((limit) => limit?.resetAt ?? now);
  const wait = Math.max(...resets) - now;
  return wait > 0 ? wait : undefined;
}
