import type { RateAdmission, RateRefusal } from '../port/rate-gate.js';
import { RATE_WINDOW_MS, type Room } from './rate-limits.js';
import { THROTTLE_ABOVE_PERCENT } from './token-projection.js';

export const SHORTEST_RETRY_MS = 50;
/** Longest wait told to a tenant that gives way to others. */
export const LONGEST_SHARE_RETRY_MS = 5_000;
/** How many of the oldest tickets are looked at to tell when there is room again. */
export const OLDEST_LOOKED_AT = 32;

const MANY = Number.MAX_SAFE_INTEGER;

/** What a tenant, or all of them, had in the window. */
export interface Use {
  readonly requests: number;
  readonly tokens: number;
}

/** The last minute of one gate as seen by one tenant that asks. */
export interface RateView {
  readonly now: number;
  /** Expected tokens of the ask. */
  readonly tokens: number;
  readonly requestRoom: Room | null;
  readonly tokenRoom: Room | null;
  readonly blockedUntil: number;
  /** All tickets of the window; those on their way count with what they expect. */
  readonly used: Use;
  /** Those whose real use is known. */
  readonly settled: Use;
  readonly own: Use;
  /** Asks that were refused lately and are expected back. */
  readonly waitingAsks: number;
  /** Other tenants that are waiting: what they had, and what they need. */
  readonly waiting: readonly (Use & { readonly needs: number })[];
  readonly newestAt: number;
  /** Oldest tickets, in order. */
  readonly oldest: readonly { readonly at: number; readonly tokens: number }[];
}

/**
 * The rate gate's rule, in this order: a block by the provider, the limits, the tenants with less, the pace.
 * A call that is bigger than the whole limit counts as exactly the limit: it is admitted alone, when the window is empty.
 */
export function decideRate(view: RateView): RateAdmission {
  const { now, requestRoom, tokenRoom } = view;
  const utilizationPercent = computeUtilization(view);
  const refuse = (reason: RateRefusal, retryInMs: number): RateAdmission => ({
    admitted: false,
    reason,
    retryInMs: Math.max(SHORTEST_RETRY_MS, Math.ceil(retryInMs)),
    utilizationPercent,
  });
  const cost = computeCost(view);
  if (now < view.blockedUntil) return refuse('blocked', view.blockedUntil - now);
  if (requestRoom && requestRoom.free < 1) {
    return refuse('requests', Math.max(computeWait(view, 0, 1), requestRoom.msUntil(1)));
  }
  if (tokenRoom && tokenRoom.free < cost) {
    return refuse('tokens', Math.max(computeWait(view, cost, 0), tokenRoom.msUntil(cost)));
  }
  const isThrottled = utilizationPercent > THROTTLE_ABOVE_PERCENT;
  const poorer = view.waiting.filter((other) => computeShare(view, other) < computeShare(view, view.own));
  if (poorer.length > 0 && (isThrottled || !fitsBeside(view, poorer, cost))) {
    return refuse('share', Math.min(computeGap(view, cost) * (poorer.length + 1), LONGEST_SHARE_RETRY_MS));
  }
  // A tenant's first call of the minute is not paced: one batch must not wait for another tenant's flood.
  if (isThrottled && view.own.requests > 0) {
    const pacedMs = computePacedAt(view, cost) - now;
    if (pacedMs > 0) return refuse('pace', pacedMs);
  }
  return { admitted: true, utilizationPercent };
}

/** ALG §3: what is settled plus the average call times (in flight + waiting), in percent of the limit that is nearer. */
function computeUtilization({ used, settled, waitingAsks, requestRoom, tokenRoom }: RateView): number {
  const waiting = Math.max(1, waitingAsks);
  const history = settled.requests > 0 ? settled : used;
  const average = history.requests > 0 ? history.tokens / history.requests : 0;
  const tokens = settled.tokens + average * (used.requests - settled.requests + waiting);
  return Math.max(
    tokenRoom && average > 0 ? (tokens / tokenRoom.limit) * 100 : 0,
    requestRoom ? ((used.requests + waiting) / requestRoom.limit) * 100 : 0,
  );
}

function computeCost({ tokens, tokenRoom }: RateView): number {
  return tokenRoom ? Math.min(tokens, tokenRoom.limit) : tokens;
}

/** Part of the minute that a tenant had, of the limit it used most of. */
function computeShare({ requestRoom, tokenRoom }: RateView, use: Use): number {
  return Math.max(tokenRoom ? use.tokens / tokenRoom.limit : 0, requestRoom ? use.requests / requestRoom.limit : 0);
}

function fitsBeside(view: RateView, poorer: RateView['waiting'], cost: number): boolean {
  const { requestRoom, tokenRoom } = view;
  let needed = cost;
  for (const { needs } of poorer) needed += tokenRoom ? Math.min(needs, tokenRoom.limit) : 0;
  if (tokenRoom && tokenRoom.free < needed) return false;
  return !requestRoom || requestRoom.free >= poorer.length + 1;
}

/** ms between calls like this one when they fill the limit evenly. */
function computeGap({ requestRoom, tokenRoom }: RateView, cost: number): number {
  return Math.max(
    requestRoom ? RATE_WINDOW_MS / requestRoom.limit : 0,
    tokenRoom ? (RATE_WINDOW_MS * cost) / tokenRoom.limit : 0,
  );
}

/**
 * What is left until the oldest ticket leaves is spread over the room that is left. The last call that fits into a minute
 * is kept for a tenant that had none, where a minute has three calls or more.
 */
function computePacedAt({ requestRoom, tokenRoom, oldest, newestAt }: RateView, cost: number): number {
  const countCalls = (requests: number | undefined, tokens: number | undefined): number =>
    Math.floor(Math.min(requests ?? MANY, tokens !== undefined && cost > 0 ? tokens / cost : MANY));
  const kept = countCalls(requestRoom?.limit, tokenRoom?.limit) >= 3 ? 1 : 0;
  const slots = countCalls(requestRoom?.free, tokenRoom?.free) - kept;
  const minuteEndsAt = (oldest[0]?.at ?? newestAt) + RATE_WINDOW_MS;
  return slots > 0 ? newestAt + (minuteEndsAt - newestAt) / slots : minuteEndsAt + 1;
}

/** ms until so much of the window has gone by that the ask would fit into the limits. */
function computeWait(
  { now, used, requestRoom, tokenRoom, oldest }: RateView,
  tokens: number,
  requests: number,
): number {
  let missingTokens = tokenRoom && tokens > 0 ? used.tokens + tokens - tokenRoom.limit : 0;
  let missingRequests = requestRoom && requests > 0 ? used.requests + requests - requestRoom.limit : 0;
  let waitMs = 0;
  for (const ticket of oldest) {
    if (missingTokens <= 0 && missingRequests <= 0) break;
    missingTokens -= ticket.tokens;
    missingRequests -= 1;
    waitMs = ticket.at + RATE_WINDOW_MS + 1 - now;
  }
  return waitMs;
}
