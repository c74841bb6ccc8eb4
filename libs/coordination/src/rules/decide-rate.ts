import type { RateAdmission, RateRefusal } from '../port/rate-limiter.js';
import { RATE_WINDOW_MS, type Capacity } from './rate-limits.js';

/** See docs/reference/rate-limits.md#throttling-above-80-percent. */
export const THROTTLE_ABOVE_PERCENT = 80;
export const MIN_RETRY_MS = 50;
/** Maximum retry delay of a tenant that yields to others. */
export const MAX_SHARE_RETRY_MS = 5_000;
/** Number of oldest reservations examined to compute when capacity is free again. */
export const MAX_OLDEST_CHECKED = 32;

const UNLIMITED_CALLS = Number.MAX_SAFE_INTEGER;

/** Usage of one tenant, or of all tenants, in the window. */
export interface Usage {
  readonly requests: number;
  readonly tokens: number;
}

/** The last minute of one limiter, as seen by the requesting tenant. */
export interface RateView {
  readonly now: number;
  /** Expected tokens of the request. */
  readonly tokens: number;
  readonly requestCapacity: Capacity | null;
  readonly tokenCapacity: Capacity | null;
  readonly blockedUntil: number;
  /** All reservations of the window; those in flight count with their expected tokens. */
  readonly used: Usage;
  /** Reservations whose actual usage is known. */
  readonly settled: Usage;
  readonly own: Usage;
  /** Requests that were refused recently and are expected to be retried. */
  readonly waitingRequests: number;
  /** Other waiting tenants: their usage, and the tokens that they need. */
  readonly waiting: readonly (Usage & { readonly needs: number })[];
  readonly newestAt: number;
  /** Oldest reservations, in order. */
  readonly oldest: readonly { readonly at: number; readonly tokens: number }[];
}

/**
 * The decision of the rate limiter, in this order: a block by the provider, the limits, waiting tenants with less
 * usage, the pace. A call that is bigger than the whole limit counts as exactly the limit: it is admitted alone, when
 * the window is empty.
 */
export function decideRate(view: RateView): RateAdmission {
  const { now, requestCapacity, tokenCapacity } = view;
  const utilizationPercent = computeUtilization(view);
  const refuse = (reason: RateRefusal, retryInMs: number): RateAdmission => ({
    admitted: false,
    reason,
    retryInMs: Math.max(MIN_RETRY_MS, Math.ceil(retryInMs)),
    utilizationPercent,
  });
  const cost = tokenCapacity ? Math.min(view.tokens, tokenCapacity.limit) : view.tokens;
  if (now < view.blockedUntil) return refuse('blocked', view.blockedUntil - now);
  if (requestCapacity && requestCapacity.free < 1) {
    return refuse('requests', Math.max(computeWait(view, 0, 1), requestCapacity.msUntil(1)));
  }
  if (tokenCapacity && tokenCapacity.free < cost) {
    return refuse('tokens', Math.max(computeWait(view, cost, 0), tokenCapacity.msUntil(cost)));
  }
  const isThrottled = utilizationPercent > THROTTLE_ABOVE_PERCENT;
  const underserved = view.waiting.filter((other) => computeShare(view, other) < computeShare(view, view.own));
  if (underserved.length > 0 && (isThrottled || !fitsAlongside(view, underserved, cost))) {
    return refuse('share', Math.min(computeGap(view, cost) * (underserved.length + 1), MAX_SHARE_RETRY_MS));
  }
  // A tenant's first call of the minute is not paced: one batch must not wait for another tenant's flood.
  if (isThrottled && view.own.requests > 0) {
    const pacedMs = computePacedAt(view, cost) - now;
    if (pacedMs > 0) return refuse('pace', pacedMs);
  }
  return { admitted: true, utilizationPercent };
}

/**
 * Settled tokens plus the average call times (in flight + waiting), in percent of the limit that is nearer
 * (docs/reference/rate-limits.md#token-projection).
 */
function computeUtilization({ used, settled, waitingRequests, requestCapacity, tokenCapacity }: RateView): number {
  const waiting = Math.max(1, waitingRequests);
  const history = settled.requests > 0 ? settled : used;
  const average = history.requests > 0 ? history.tokens / history.requests : 0;
  const tokens = settled.tokens + average * (used.requests - settled.requests + waiting);
  return Math.max(
    tokenCapacity && average > 0 ? (tokens / tokenCapacity.limit) * 100 : 0,
    requestCapacity ? ((used.requests + waiting) / requestCapacity.limit) * 100 : 0,
  );
}

/** Share of the minute that a tenant used, of the limit it used most of. */
function computeShare({ requestCapacity, tokenCapacity }: RateView, usage: Usage): number {
  return Math.max(
    tokenCapacity ? usage.tokens / tokenCapacity.limit : 0,
    requestCapacity ? usage.requests / requestCapacity.limit : 0,
  );
}

function fitsAlongside(view: RateView, underserved: RateView['waiting'], cost: number): boolean {
  const { requestCapacity, tokenCapacity } = view;
  let needed = cost;
  for (const { needs } of underserved) needed += tokenCapacity ? Math.min(needs, tokenCapacity.limit) : 0;
  if (tokenCapacity && tokenCapacity.free < needed) return false;
  return !requestCapacity || requestCapacity.free >= underserved.length + 1;
}

/** ms between calls of this cost when they use up the limit evenly. */
function computeGap({ requestCapacity, tokenCapacity }: RateView, cost: number): number {
  return Math.max(
    requestCapacity ? RATE_WINDOW_MS / requestCapacity.limit : 0,
    tokenCapacity ? (RATE_WINDOW_MS * cost) / tokenCapacity.limit : 0,
  );
}

/**
 * Epoch ms of the next paced call: the time until the oldest reservation leaves the window is divided by the calls that
 * still fit. The last call that fits into a minute is reserved for a tenant that had none, where a minute has three
 * calls or more.
 */
function computePacedAt({ requestCapacity, tokenCapacity, oldest, newestAt }: RateView, cost: number): number {
  const countCalls = (requests: number | undefined, tokens: number | undefined): number =>
    Math.floor(
      Math.min(requests ?? UNLIMITED_CALLS, tokens !== undefined && cost > 0 ? tokens / cost : UNLIMITED_CALLS),
    );
  const reservedCalls = countCalls(requestCapacity?.limit, tokenCapacity?.limit) >= 3 ? 1 : 0;
  const slots = countCalls(requestCapacity?.free, tokenCapacity?.free) - reservedCalls;
  const minuteEndsAt = (oldest[0]?.at ?? newestAt) + RATE_WINDOW_MS;
  return slots > 0 ? newestAt + (minuteEndsAt - newestAt) / slots : minuteEndsAt + 1;
}

/** ms until enough reservations have left the window for the request to fit into the limits. */
function computeWait(
  { now, used, requestCapacity, tokenCapacity, oldest }: RateView,
  tokens: number,
  requests: number,
): number {
  let missingTokens = tokenCapacity && tokens > 0 ? used.tokens + tokens - tokenCapacity.limit : 0;
  let missingRequests = requestCapacity && requests > 0 ? used.requests + requests - requestCapacity.limit : 0;
  let waitMs = 0;
  for (const reservation of oldest) {
    if (missingTokens <= 0 && missingRequests <= 0) break;
    missingTokens -= reservation.tokens;
    missingRequests -= 1;
    waitMs = reservation.at + RATE_WINDOW_MS + 1 - now;
  }
  return waitMs;
}
