import { computeRetryDelayMs, type Rng } from '@annals/domain';
import type { RateLimitReport, TokenUsage } from './llm-response.js';

/** The closed set of error types of model calls (docs/reference/model-calls.md#error-types). */
export const LLM_ERROR_TYPES = [
  'rate_limit',
  'timeout',
  'authentication',
  'invalid_request',
  'parsing',
  'budget_exceeded',
  'policy',
  'transient',
  'unknown',
] as const;
export type LLMErrorType = (typeof LLM_ERROR_TYPES)[number];

/** Retries by error type (docs/reference/model-calls.md#retries). That of `parsing` is a correction. */
export const MAX_RETRIES: Readonly<Record<LLMErrorType, number>> = {
  rate_limit: 3,
  timeout: 3,
  transient: 3,
  parsing: 1,
  authentication: 0,
  invalid_request: 0,
  budget_exceeded: 0,
  policy: 0,
  unknown: 0,
};

export function isRetryable(type: LLMErrorType): boolean {
  return MAX_RETRIES[type] > 0;
}

export interface LLMErrorDetails {
  provider?: string;
  /** HTTP status, if the provider responded. */
  status?: number;
  /** How long the provider requests to wait, in ms. */
  retryAfterMs?: number;
  /** From a reset header, not Retry-After (docs/reference/model-calls.md#retry-hint-of-a-provider). */
  derivedRetry?: true;
  /** False only if the request certainly did not reach the provider, so that nothing is charged. */
  sent?: false;
  /** The provider's request id, for its support. */
  providerRequestId?: string;
  /** Tokens used by the failed call, if the provider charges for it. */
  usage?: TokenUsage;
  /** Cost of the failed call, an integer in micro-USD. */
  costMicroUsd?: number;
  rateLimits?: RateLimitReport;
}

/**
 * A failed model, embedding or rerank call. The message is written by Annals: it never contains user content, provider
 * output or a key. For the same reason there is no `cause`.
 */
export class LLMError extends Error {
  override readonly name = 'LLMError';
  readonly provider?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly derivedRetry?: true;
  readonly sent?: false;
  readonly providerRequestId?: string;
  readonly usage?: TokenUsage;
  readonly costMicroUsd?: number;
  readonly rateLimits?: RateLimitReport;

  constructor(
    readonly type: LLMErrorType,
    message: string,
    details: LLMErrorDetails = {},
  ) {
    super(message);
    Object.assign(this, details);
  }

  get retryable(): boolean {
    return isRetryable(this.type);
  }
}

/** Returns a copy of the error with more details; the error's own details take precedence. */
export function addDetails(error: LLMError, details: LLMErrorDetails): LLMError {
  const { type, message, name: _name, ...own } = error;
  return new LLMError(type, message, { ...details, ...own });
}

/** See docs/reference/model-calls.md#backoff-with-jitter. */
const BACKOFF = { firstMs: 500, maxMs: 8_000 };
const JITTER_MS = 200;

/**
 * The delay before retry `attempt` (0 for the first), in ms: `min(500·2^attempt, 8000)` plus a uniform jitter of whole
 * milliseconds from −200 to 200, never below 0.
 */
export function computeBackoffMs(attempt: number, rng: Rng): number {
  const jitterMs = Math.floor(rng.nextFloat() * (2 * JITTER_MS + 1)) - JITTER_MS;
  return Math.max(0, computeRetryDelayMs(BACKOFF, attempt) + jitterMs);
}
