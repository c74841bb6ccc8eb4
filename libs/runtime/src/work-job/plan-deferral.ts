import type { ModelWaitReason } from '@annals/contracts';
import { computeRetryDelayMs, type Rng } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import { findNextBudgetDay } from '../model-calls/budget-day.js';
import { mayBeCharged } from '../model-calls/classify-failure.js';
import type { WorkEnding } from './work-stage.js';

const HOUR_MS = 3_600_000;
/** Waits for a provider that is unavailable: from half a minute to an hour, however long the outage. */
const OUTAGE_DELAY = { firstMs: 30_000, maxMs: HOUR_MS, jitter: 0.5 };
/** Work that waits for a budget is resumed spread over this time, to avoid a burst. */
const BUDGET_SPREAD_MS = 60_000;
/** Of a model or a path that the server does not know. */
const NOT_FOUND = 404;
/** Claims of work after which an error that may be charged fails it. */
const MAX_CHARGED_CLAIMS = 6;

export type Deferral = Extract<WorkEnding<ModelWaitReason>, { ends: 'deferred' }>;

/** `attempts`: claims of the work since it was asked for. `now`: epoch ms. */
export interface DeferralInput {
  readonly attempts: number;
  readonly now: number;
  readonly rng: Rng;
}

/**
 * When work is tried again after an error that time, or a corrected configuration, can mend; null for any
 * other, and for a call that may be charged once the work was claimed too often. A refused call costs nothing, so an
 * exhausted budget is tried once an hour: only running calls may have been in the way.
 */
export function planDeferral(error: unknown, { attempts, now, rng }: DeferralInput): Deferral | null {
  if (!(error instanceof LLMError)) return null;
  if (error.type === 'budget_exceeded') {
    const waitMs = Math.min(findNextBudgetDay(now) - now, HOUR_MS);
    // The spread is no longer than the wait itself, which may be only seconds.
    const spreadMs = Math.floor(rng.nextFloat() * Math.min(BUDGET_SPREAD_MS, waitMs));
    return { ends: 'deferred', reason: 'budget_exceeded', until: now + waitMs + spreadMs };
  }
  if (error.type === 'unknown' || isTextRefusal(error)) return null;
  if (mayBeCharged(error) && attempts >= MAX_CHARGED_CLAIMS) return null;
  return planOutage({ attempts, now, rng }, error.retryAfterMs);
}

/** When work is tried again after a failed call: later after each claim, but not before the provider asks for. */
export function planOutage({ attempts, now, rng }: DeferralInput, retryAfterMs = 0): Deferral {
  const delayMs = Math.max(computeRetryDelayMs(OUTAGE_DELAY, attempts - 1, rng), retryAfterMs);
  return { ends: 'deferred', reason: 'provider_unavailable', until: now + Math.round(delayMs) };
}

/**
 * Whether a provider refused a call before it read the texts, without a charge: too many requests, a wrong key, an empty
 * balance, or an unknown model. Time or the operator can mend that.
 */
export function isRefusedUnread(error: LLMError): boolean {
  if (mayBeCharged(error)) return false;
  return (
    error.type === 'rate_limit' ||
    error.type === 'authentication' ||
    (error.type === 'invalid_request' && error.status === NOT_FOUND)
  );
}

/**
 * Whether a call was refused because of its texts: by the content policy, as a malformed request, or because a text is
 * too long to be sent. An unknown model and vectors of other dimensions are errors of the configuration.
 */
export function isTextRefusal({ type, sent, status }: LLMError): boolean {
  if (type !== 'invalid_request') return type === 'policy';
  return sent === false || (status !== undefined && status !== NOT_FOUND);
}
