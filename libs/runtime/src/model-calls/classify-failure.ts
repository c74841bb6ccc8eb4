import type { CallOutcome as BreakerReport } from '@annals/coordination';
import { LLMError, type TokenUsage } from '@annals/llm-core';
import type { CallOutcome, CallSettlement } from '@annals/storage';

/** How a failed call is reported to the ledger, the breaker and the rate limiter. */
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
  /** The reserved cost. */
  readonly maxCostMicroUsd: number;
  /** Why Annals ended the call, if it did. */
  readonly ended: 'by_timeout' | 'by_caller' | undefined;
}

/** Statuses of a proxy that timed out waiting for the provider: the provider may still be working, and charge. */
const LOST_ANSWER_STATUSES = new Set([504, 524]);

/**
 * The cost of a failed call: the cost that the error reports; 0 when the request never arrived or was refused with a
 * status; else the whole reservation, since it is unknown whether the call was charged and the budget must not be below
 * the bill.
 */
export function classifyFailure({ thrown, provider, maxCostMicroUsd, ended }: FailedAttempt): FailureClassification {
  const error = toLLMError(thrown, provider, ended);
  const isFree = error.sent === false || (ended === undefined && !mayBeCharged(error));
  const costMicroUsd = error.costMicroUsd ?? (isFree ? 0 : maxCostMicroUsd);
  return {
    error,
    outcome: ended === 'by_caller' ? 'aborted' : error.type,
    usage: toSettledUsage(error.usage, error.costMicroUsd === undefined && costMicroUsd > 0),
    costMicroUsd,
    breaker: ended === 'by_caller' ? 'abandoned' : toBreakerReport(error.type),
  };
}

/** Whether a failed call may be on the bill: not when it never arrived, or was refused with a status. */
export function mayBeCharged({ costMicroUsd, sent, status }: LLMError): boolean {
  if (costMicroUsd !== undefined) return costMicroUsd > 0;
  return sent !== false && (status === undefined || LOST_ANSWER_STATUSES.has(status));
}

/** More than any model reads; the sum over many such calls of a batch still fits into its column. */
const MAX_TOKENS = 50_000_000;

/** Usage that can be stored: a settlement that cannot be written would lose a paid answer. */
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

/** See docs/reference/circuit-breaker.md#what-counts-as-a-failure. */
function toBreakerReport(type: LLMError['type']): BreakerReport {
  if (type === 'timeout' || type === 'transient') return 'failure';
  return type === 'rate_limit' ? 'abandoned' : 'success';
}

function toLLMError(thrown: unknown, provider: string, ended: FailedAttempt['ended']): LLMError {
  if (thrown instanceof LLMError) return thrown;
  if (ended === 'by_timeout') return new LLMError('timeout', `${provider} did not answer in time.`);
  return new LLMError('unknown', `The call to ${provider} failed.`);
}
