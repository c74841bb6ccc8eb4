import { computeRetryDelayMs, type Rng } from '@annals/domain';
import { isRetryable, LLMError } from '@annals/llm-core';
import { findNextBudgetDay, type WorkEnding } from '@annals/runtime';

const HOUR_MS = 3_600_000;
/** Waits for a provider that is unavailable: from half a minute to an hour, however long the outage. */
const OUTAGE_DELAY = { firstMs: 30_000, maxMs: HOUR_MS, jitter: 0.5 };

/**
 * When embedding work is tried again after an error that time can mend; null for any other. A refused call costs
 * nothing, so an exhausted budget is tried once an hour: only running calls may have been in the way.
 */
export function planDeferral(
  error: unknown,
  { attempts, now, rng }: { readonly attempts: number; readonly now: number; readonly rng: Rng },
): Extract<WorkEnding, { ends: 'deferred' }> | null {
  if (!(error instanceof LLMError)) return null;
  if (error.type === 'budget_exceeded') {
    return { ends: 'deferred', reason: 'budget_exceeded', until: Math.min(findNextBudgetDay(now), now + HOUR_MS) };
  }
  if (!isRetryable(error.type)) return null;
  const delayMs = Math.max(computeRetryDelayMs(OUTAGE_DELAY, attempts - 1, rng), error.retryAfterMs ?? 0);
  return { ends: 'deferred', reason: 'provider_unavailable', until: now + Math.round(delayMs) };
}
