import type { Clock, Rng } from '@annals/domain';
import { PermanentJobError } from '@annals/messaging';
import type { LogProvider } from '@annals/observability';
import type { RefusedCall } from '@annals/runtime';
import type { PastCall } from '@annals/storage';
import { setTimeout as wait } from 'node:timers/promises';
import { callLocal } from './call-local.js';
import { type BatchRequest, callRemote, type RemoteCallDependencies } from './call-remote.js';
import type { ModelCallOutcome } from './model-answer.js';
import { isRemote, type ModelChain, toLink } from './model-chain.js';
import { type CallStep, type ClosedProvider, decideNextStep, MAX_RETRY_AFTER_MS } from './next-step.js';

export interface CallModelDependencies extends RemoteCallDependencies {
  readonly chain: ModelChain;
  readonly clock: Clock;
  readonly rng: Rng;
}

/** Waits up to so long are slept by the worker; longer ones free it, in ms. */
const MAX_SLEEP_MS = 5_000;
/** Deferred batches do not all come back in the same instant. */
const BUDGET_SPREAD_MS = 60_000;
const CIRCUIT_SPREAD_MS = 2_000;
/** For what is to come back at once: also the batch whose job has run long enough, since the next run reads the ledger. */
const MIN_WAIT_MS = 50;

/**
 * Asks the chain's models until one is understood: decides from what was done, does it, and decides again. `calls` are
 * what the ledger has; what is done here is written there before the next decision. `mayRunMs`: how long from now on
 * this run may take.
 * @throws PermanentJobError with the error's type when no further call can help, and what `ModelCalls.run` throws
 */
export async function callModel(
  deps: CallModelDependencies,
  batchRequest: BatchRequest,
  pastCalls: readonly PastCall[],
  mayRunMs: number,
): Promise<ModelCallOutcome> {
  const { chain, clock, rng, options } = deps;
  const links = chain.map(toLink);
  const endsMs = performance.now() + mayRunMs;
  const calls = [...pastCalls];
  const closed = new Map<number, ClosedProvider>();
  let retryAfterMs: number | undefined;
  let active = findActive(links, calls);
  for (;;) {
    const step = decideNextStep({ chain: links, calls, closed, retryAfterMs, now: clock.now(), rng });
    if (step.step === 'give_up') throw new PermanentJobError(step.code);
    if (step.step === 'wait') return waitUntil(step, clock.now(), rng);
    if (step.delayMs > MAX_SLEEP_MS) return { outcome: 'delayed', delayMs: step.delayMs };
    if (performance.now() + step.delayMs + options.timeoutMs > endsMs)
      return { outcome: 'delayed', delayMs: MIN_WAIT_MS };
    if (step.delayMs > 0) await batchRequest.withoutSlot(() => sleep(step.delayMs, batchRequest.signal));
    batchRequest.signal.throwIfAborted();
    const provider = chain[step.index]!;
    const onSend = () => {
      reportAttempt(deps, batchRequest, step, active);
      active = step.index;
    };
    if (!isRemote(provider)) {
      onSend();
      const request = {
        ...batchRequest.request,
        maxOutputTokens: options.maxOutputTokens,
        signal: batchRequest.signal,
      };
      return { outcome: 'answered', ...(await callLocal(deps, provider, request)) };
    }
    const { attempt, correction } = step;
    const result = await callRemote(deps, batchRequest, { provider, attempt, correction, onSend });
    if (result.outcome === 'understood') return { outcome: 'answered', ...result.answer };
    if (result.outcome === 'refused') {
      const decision = classifyRefusal(result, clock.now(), rng);
      if ('outcome' in decision) return decision;
      closed.set(step.index, decision);
      continue;
    }
    calls.push(result.past);
    retryAfterMs = result.failure.error.retryAfterMs;
  }
}

/** The provider that was asked last, or the primary. */
function findActive(links: readonly ReturnType<typeof toLink>[], calls: readonly PastCall[]): number {
  const last = calls.at(-1);
  const index = links.findIndex(({ provider, model }) => provider === last?.provider && model === last.model);
  return Math.max(0, index);
}

/** A circuit shows on the batch; a provider's pace is the rate limiter's, and costs the batch nothing but time. */
function waitUntil({ reason, until }: ClosedProvider, now: number, rng: Rng): ModelCallOutcome {
  if (reason === 'rate_limit') return { outcome: 'delayed', delayMs: Math.max(MIN_WAIT_MS, until - now) };
  return { outcome: 'deferred', reason, until: until + spread(rng, CIRCUIT_SPREAD_MS), shortfallMicroUsd: null };
}

/** What a refusal means: for its provider, so that the next of the chain is asked, or for the batch. */
function classifyRefusal(refusal: RefusedCall, now: number, rng: Rng): ClosedProvider | ModelCallOutcome {
  switch (refusal.why) {
    case 'circuit':
      // Another process's clock may be behind: asking at once again would go round in circles.
      return { reason: 'circuit_open', until: Math.max(refusal.retryAt, now + MIN_WAIT_MS) };
    case 'rate':
      // The provider said so itself, and means it: the rate limiter's own pace is a matter of seconds.
      if (refusal.reason === 'blocked' && refusal.retryInMs > MAX_RETRY_AFTER_MS) {
        return { reason: 'rate_limit', until: now + refusal.retryInMs };
      }
      return { outcome: 'delayed', delayMs: Math.max(MIN_WAIT_MS, refusal.retryInMs) };
    case 'budget':
      return {
        outcome: 'deferred',
        reason: 'budget_exceeded',
        // What waits for seconds only is not to wait for a minute.
        until: refusal.until + spread(rng, Math.min(BUDGET_SPREAD_MS, Math.max(0, refusal.until - now))),
        shortfallMicroUsd: refusal.shortfallMicroUsd,
      };
    case 'budget_too_small':
      throw new PermanentJobError('budget_too_small');
  }
}

/** Says that a call is a retry, or that another provider takes over. */
function reportAttempt(
  { chain, logger, metrics }: CallModelDependencies,
  { request: { requestId } }: BatchRequest,
  { index, fallback, retryOf }: CallStep,
  active: number,
): void {
  const to = chain[index]!;
  if (retryOf !== undefined) metrics.inc('memory_llm_retries_total', { provider: to.name, reason: retryOf });
  if (!fallback || index === active) return;
  const { reason } = fallback;
  const from = chain[fallback.from]!.name;
  metrics.inc('memory_llm_fallbacks_total', { from, to: to.name, reason });
  logger.warn('fallback_activated', { requestId, provider: to.name as LogProvider, from, to: to.name, reason });
}

function spread(rng: Rng, maxMs: number): number {
  return Math.floor(rng.nextFloat() * maxMs);
}

/** Ends with the signal's own reason, as everything does that a job waits for. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
