import type { CallOutcome as BreakerReport } from '@annals/coordination';
import { LLMError, type TokenUsage } from '@annals/llm-core';
import type { CallOutcome, CallSettlement } from '@annals/storage';

/** What a failed call means for the ledger, the breaker and the rate limiter. */
export interface FailureClassification {
  readonly error: LLMError;
  readonly outcome: CallOutcome;
  readonly usage: CallSettlement['usage'];
  readonly costMicroUsd: number;
  readonly breaker: BreakerReport;
}

export interface FailedAttempt {
  readonly thrown: unknown;
  readonly provider: string;
  /** What was reserved. */
  readonly maxCostMicroUsd: number;
  /** Why the call was ended from our side, if it was. */
  readonly ended: 'by_timeout' | 'by_caller' | undefined;
}

/** Of something between us and the provider that waited for it in vain: the provider may be at work, and charge. */
const LOST_ANSWER_STATUSES = new Set([504, 524]);

/**
 * The cost of a failure: as the error tells it; nothing when the request never arrived, or was refused with a status;
 * else everything that was reserved, since nobody knows whether it was charged and the budget must not be below the bill.
 */
export function classifyFailure({ thrown, provider, maxCostMicroUsd, ended }: FailedAttempt): FailureClassification {
  const error = toLLMError(thrown, provider, ended);
  const isRefused = error.status !== undefined && !LOST_ANSWER_STATUSES.has(error.status);
  const isFree = error.sent === false || (isRefused && ended === undefined);
  const costMicroUsd = error.costMicroUsd ?? (isFree ? 0 : maxCostMicroUsd);
  return {
    error,
    outcome: ended === 'by_caller' ? 'aborted' : error.type,
    usage: toSettledUsage(error.usage, error.costMicroUsd === undefined && costMicroUsd > 0),
    costMicroUsd,
    breaker: ended === 'by_caller' ? 'abandoned' : toBreakerReport(error.type),
  };
}

/** More than any model reads; the batch's sum of many such calls still fits into its column. */
const MAX_TOKENS = 50_000_000;

/** Usage as it can be written down, whatever a server calls a number: a settlement that cannot is a paid answer lost. */
export function toSettledUsage(usage: TokenUsage | undefined, isCostEstimated = false): CallSettlement['usage'] {
  return {
    inputTokens: toCount(usage?.inputTokens),
    outputTokens: toCount(usage?.outputTokens),
    cacheReadTokens: toCount(usage?.cacheReadTokens),
    cacheWriteTokens: toCount(usage?.cacheWriteTokens),
    estimated: isCostEstimated || usage?.estimated === true,
  };
}

function toCount(tokens: number | undefined): number {
  return Number.isNaN(tokens ?? 0) ? 0 : Math.min(Math.max(0, Math.round(tokens ?? 0)), MAX_TOKENS);
}

/**
 * Only timeouts and outages speak against the provider; a 429 says nothing about it
 * (docs/reference/circuit-breaker.md#what-counts-as-a-failure).
 */
function toBreakerReport(type: LLMError['type']): BreakerReport {
  if (type === 'timeout' || type === 'transient') return 'failure';
  return type === 'rate_limit' ? 'abandoned' : 'success';
}

function toLLMError(thrown: unknown, provider: string, ended: FailedAttempt['ended']): LLMError {
  if (thrown instanceof LLMError) return thrown;
  if (ended === 'by_timeout') return new LLMError('timeout', `${provider} did not answer in time.`);
  return new LLMError('unknown', `The call of ${provider} failed.`);
}
