import type { RateLimitReport } from './rate-limit-report.js';
import type { TokenUsage } from './token-usage.js';

/** The closed set of ways a model call fails (docs/reference/model-calls.md#error-types). */
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

/**
 * Further attempts allowed after the first, by type (docs/reference/model-calls.md#retries). The one for `parsing` is a
 * corrective attempt.
 */
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
  /** HTTP status, when the provider answered. */
  status?: number;
  /** How long the provider asks us to wait. */
  retryAfterMs?: number;
  /**
   * True when `retryAfterMs` comes from a reset header instead of Retry-After
   * (docs/reference/model-calls.md#retry-hint-of-a-provider).
   */
  derivedRetry?: true;
  /** Present (false) only when it is certain that nothing reached the provider: no connection, so no charge. */
  sent?: false;
  /** The provider's own id of the request, for its support. */
  providerRequestId?: string;
  /** What the failed call used, when the provider charges for it. */
  usage?: TokenUsage;
  /** What it cost, a whole number of micro-USD. */
  costMicroUsd?: number;
  rateLimits?: RateLimitReport;
}

/**
 * A failed model or embedding call. The message is a sentence of ours: it never holds what people said, what the
 * provider answered, or a key. For the same reason no `cause` is kept.
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
