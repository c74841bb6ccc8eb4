import type { Clock, Rng } from '@annals/domain';
import { PermanentJobError } from '@annals/messaging';
import type { LogProvider } from '@annals/observability';
import type { BatchEnding, RefusedCall } from '@annals/runtime';
import type { PastCall } from '@annals/storage';
import { setTimeout as wait } from 'node:timers/promises';
import type { BatchRequest } from './batch-request.js';
import { callLocal } from './call-local.js';
import { callRemote, type RemoteCallDependencies } from './call-remote.js';
import { isRemote, type ModelChain, toLink } from './model-chain.js';
import type { ModelAnswer } from './receive-answer.js';
import { type CallStep, type ClosedProvider, decideNextStep, MAX_RETRY_AFTER_MS } from './next-step.js';

export interface CallModelDependencies extends RemoteCallDependencies {
  readonly chain: ModelChain;
  readonly clock: Clock;
  readonly rng: Rng;
}

/** For up to this time the worker waits itself; for a longer wait the job is delayed, in ms. */
const MAX_SLEEP_MS = 5_000;
/** Deferred batches are resumed spread over these times, in ms, to avoid a burst. */
const BUDGET_SPREAD_MS = 60_000;
const CIRCUIT_SPREAD_MS = 2_000;
/** Delay of a job that continues immediately, also when its time is used up: the next run reads the ledger. In ms. */
const MIN_WAIT_MS = 50;

/**
 * Calls the models of the chain until an answer is understood: decides the next step from the calls so far, executes
 * it, and decides again. `pastCalls` are the batch's calls in the ledger; each further call is in the ledger before the
 * next decision. `mayRunMs` is the time that this run may take, in ms.
 * @throws PermanentJobError with the error's type when no further call can help, and what `ModelCalls.run` throws
 */
export async function callModel(
  deps: CallModelDependencies,
  batchRequest: BatchRequest,
  pastCalls: readonly PastCall[],
  mayRunMs: number,
): Promise<ModelAnswer | BatchEnding> {
  const { chain, clock, rng, options } = deps;
  const { signal, withoutSlot } = batchRequest.attempt;
  const links = chain.map(toLink);
  const endsMs = clock.monotonicNow() + mayRunMs;
  const calls = [...pastCalls];
  const closed = new Map<number, ClosedProvider>();
  let retryAfterMs: number | undefined;
  let active = findActive(links, calls);
  for (;;) {
    const step = decideNextStep({ chain: links, calls, closed, retryAfterMs, now: clock.now(), rng });
    if (step.step === 'give_up') throw new PermanentJobError(step.code);
    if (step.step === 'wait') return waitUntil(step, clock.now(), rng);
    if (step.delayMs > MAX_SLEEP_MS) return { ends: 'delayed', delayMs: step.delayMs };
    if (clock.monotonicNow() + step.delayMs + options.timeoutMs > endsMs)
      return { ends: 'delayed', delayMs: MIN_WAIT_MS };
    if (step.delayMs > 0) await withoutSlot(() => sleep(step.delayMs, signal));
    signal.throwIfAborted();
    const provider = chain[step.index]!;
    const onSend = () => {
      reportAttempt(deps, batchRequest, step, active);
      active = step.index;
    };
    if (!isRemote(provider)) {
      onSend();
      const request = { ...batchRequest.request, maxOutputTokens: options.maxOutputTokens, signal };
      return callLocal(deps, provider, request);
    }
    const { attempt, correction } = step;
    const result = await callRemote(deps, batchRequest, { provider, attempt, correction, onSend });
    if (result.outcome === 'understood') return result.answer;
    if (result.outcome === 'refused') {
      const decision = classifyRefusal(result, clock.now(), rng);
      if ('ends' in decision) return decision;
      closed.set(step.index, decision);
      continue;
    }
    calls.push(result.past);
    retryAfterMs = result.failure.error.retryAfterMs;
  }
}

/** The chain index of the provider that was called last, or of the primary. */
function findActive(links: readonly ReturnType<typeof toLink>[], calls: readonly PastCall[]): number {
  const last = calls.at(-1);
  const index = links.findIndex(({ provider, model }) => provider === last?.provider && model === last.model);
  return Math.max(0, index);
}

/** An open circuit defers the batch, which is visible in its state. A rate limit only delays the job. */
function waitUntil({ reason, until }: ClosedProvider, now: number, rng: Rng): BatchEnding {
  if (reason === 'rate_limit') return { ends: 'delayed', delayMs: Math.max(MIN_WAIT_MS, until - now) };
  return { ends: 'deferred', reason, until: until + spread(rng, CIRCUIT_SPREAD_MS), shortfallMicroUsd: null };
}

/** Whether a refusal closes the provider, so that the next one in the chain is called, or decides about the batch. */
function classifyRefusal(refusal: RefusedCall, now: number, rng: Rng): ClosedProvider | BatchEnding {
  switch (refusal.why) {
    case 'circuit':
      // Another process's clock may be behind: without a minimum, this would be a busy loop.
      return { reason: 'circuit_open', until: Math.max(refusal.retryAt, now + MIN_WAIT_MS) };
    case 'rate':
      // So long a wait comes from the provider's Retry-After: those of the rate limiter itself are seconds.
      if (refusal.reason === 'blocked' && refusal.retryInMs > MAX_RETRY_AFTER_MS) {
        return { reason: 'rate_limit', until: now + refusal.retryInMs };
      }
      return { ends: 'delayed', delayMs: Math.max(MIN_WAIT_MS, refusal.retryInMs) };
    case 'budget':
      return {
        ends: 'deferred',
        reason: 'budget_exceeded',
        // The spread is no longer than the wait itself, which may be only seconds.
        until: refusal.until + spread(rng, Math.min(BUDGET_SPREAD_MS, Math.max(0, refusal.until - now))),
        shortfallMicroUsd: refusal.shortfallMicroUsd,
      };
    case 'budget_too_small':
      throw new PermanentJobError('budget_too_small');
  }
}

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

/** Rejects with the reason of the aborted signal. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
