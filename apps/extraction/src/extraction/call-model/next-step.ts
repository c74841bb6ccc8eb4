import type { Rng } from '@annals/domain';
import { computeBackoffMs, type Correction, LLM_ERROR_TYPES, type LLMErrorType, MAX_RETRIES } from '@annals/llm-core';
import type { PastCall } from '@annals/storage';

/** A provider of the chain; the ledger records remote calls by provider and model. */
export interface ChainLink {
  readonly provider: string;
  readonly model: string;
}

/** Why the next provider of the chain is called (docs/reference/model-calls.md#fallback-to-the-next-provider). */
type FallbackReason = 'rate_limit' | 'timeout' | 'transient' | 'parsing' | 'circuit_open';

export interface CallStep {
  readonly step: 'call';
  readonly index: number;
  /** Number of this call among the batch's calls of this provider, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  /** The error that is retried; absent for the first call of a provider. */
  readonly retryOf?: 'rate_limit' | 'timeout' | 'transient' | 'parsing';
  readonly correction?: Correction;
  /** Present when the providers before this one are skipped: why the one just before it is. */
  readonly fallback?: { readonly from: number; readonly reason: FallbackReason };
}

export type NextStep =
  | CallStep
  /** No remaining provider can be called before `until`, epoch ms. */
  | ({ readonly step: 'wait' } & ClosedProvider)
  | { readonly step: 'give_up'; readonly code: LLMErrorType };

/** Why and until when (epoch ms) a provider cannot be called. */
export interface ClosedProvider {
  readonly until: number;
  readonly reason: 'circuit_open' | 'rate_limit';
}

export interface ChainState {
  readonly chain: readonly ChainLink[];
  /** The batch's calls, oldest first: those in the ledger and those of this run. */
  readonly calls: readonly PastCall[];
  /** By index in the chain; entries whose time has passed are ignored. */
  readonly closed: ReadonlyMap<number, ClosedProvider>;
  readonly retryAfterMs?: number | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly rng: Rng;
}

type RetriedErrorType = Exclude<FallbackReason, 'circuit_open'>;

/** A provider with a longer Retry-After is skipped while another one can be called, in ms. */
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Decides the next step for a batch from its past calls alone (docs/reference/model-calls.md#retries,
 * docs/reference/model-calls.md#fallback-to-the-next-provider), so that a worker that takes over a killed one's batch
 * continues where that one stopped. Rate limits, timeouts and outages are retried three times with the same provider;
 * an unreadable answer is corrected once. Then, or while the provider cannot be called, the next one in the chain is
 * called. Any other error fails the batch.
 */
export function decideNextStep(situation: ChainState): NextStep {
  const { chain, calls } = situation;
  const last = calls.findLast((call) => isFailure(call) && chain.some((link) => isCallOf(call, link)));
  if (last && !isRetried(last.outcome)) return { step: 'give_up', code: toErrorType(last.outcome) };
  let fallback: CallStep['fallback'];
  for (const index of chain.keys()) {
    const spent = findExhaustedRetries(callsOf(situation, index));
    const closed = findClosed(situation, index);
    const step = spent === undefined && !closed ? planCall(situation, index, fallback) : undefined;
    const isSkipped = step && step.delayMs > MAX_RETRY_AFTER_MS && isAnyOpenAfter(situation, index);
    if (step && !isSkipped) return step;
    fallback = { from: index, reason: spent ?? closed?.reason ?? step?.retryOf ?? 'rate_limit' };
  }
  const waits = [...chain.keys()].flatMap((index) => {
    const closed = findClosed(situation, index);
    return closed && findExhaustedRetries(callsOf(situation, index)) === undefined ? [closed] : [];
  });
  const [soonest] = waits.toSorted((one, other) => one.until - other.until);
  if (soonest) return { step: 'wait', ...soonest };
  return { step: 'give_up', code: last ? toErrorType(last.outcome) : 'unknown' };
}

function callsOf({ calls, chain }: ChainState, index: number): PastCall[] {
  return calls.filter((call) => isCallOf(call, chain[index]!));
}

function findClosed({ closed, now }: ChainState, index: number): ClosedProvider | undefined {
  const found = closed.get(index);
  return found && found.until > now ? found : undefined;
}

function isAnyOpenAfter(situation: ChainState, index: number): boolean {
  return [...situation.chain.keys()].some(
    (other) =>
      other > index && !findClosed(situation, other) && findExhaustedRetries(callsOf(situation, other)) === undefined,
  );
}

function planCall(situation: ChainState, index: number, fallback: CallStep['fallback']): CallStep {
  const { calls, now, retryAfterMs, rng } = situation;
  const own = callsOf(situation, index);
  const failures = own.filter(isFailure);
  const base = { step: 'call', index, attempt: own.length + 1, ...(fallback ? { fallback } : {}) } as const;
  const last = failures.at(-1);
  if (!last) return { ...base, delayMs: 0 };
  const correction = findCorrection(own);
  const retried = { ...base, retryOf: last.outcome as RetriedErrorType, ...(correction ? { correction } : {}) };
  // The provider answered, so there is no reason for a backoff.
  if (last.outcome === 'parsing') return { ...retried, delayMs: 0 };
  const outages = failures.filter(({ outcome }) => outcome !== 'parsing').length;
  const hintMs = calls.at(-1) === last ? (retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(computeBackoffMs(outages - 1, rng), hintMs);
  return { ...retried, delayMs: Math.max(0, last.at + waitMs - now) };
}

/** The error with which a provider's retries are exhausted; undefined while it may be called. */
function findExhaustedRetries(own: readonly PastCall[]): RetriedErrorType | undefined {
  const failures = own.filter(isFailure);
  const unread = failures.filter(({ outcome }) => outcome === 'parsing');
  if (unread.length > MAX_RETRIES.parsing) return 'parsing';
  const outages = failures.filter(({ outcome }) => outcome !== 'parsing');
  return outages.length > MAX_RETRIES.transient ? (outages.at(-1)?.outcome as RetriedErrorType) : undefined;
}

/** The last unreadable answer, which the correction shows to the model, also after an outage in between. */
function findCorrection(own: readonly PastCall[]): Correction | undefined {
  const unread = own.findLast(({ outcome }) => outcome === 'parsing');
  const answer = unread?.answer ?? null;
  if (answer === null) return undefined;
  return { answer, problem: unread?.problem ?? 'The answer could not be read.' };
}

function isCallOf(call: PastCall, { provider, model }: ChainLink): boolean {
  return call.provider === provider && call.model === model;
}

/** A call that was ended by a shutdown or the death of its worker is not a failure of the provider. */
function isFailure({ outcome }: PastCall): boolean {
  return outcome !== 'ok' && outcome !== 'lost' && outcome !== 'aborted';
}

function isRetried(outcome: string): outcome is RetriedErrorType {
  return MAX_RETRIES[toErrorType(outcome)] > 0;
}

function toErrorType(outcome: string): LLMErrorType {
  return LLM_ERROR_TYPES.find((type) => type === outcome) ?? 'unknown';
}
