import type { ObservedLimits, RateAdmission, RateRequest } from '../port/rate-gate.js';
import { decideRate, OLDEST_LOOKED_AT, type Use } from './decide-rate.js';
import { computeRoom, hearLimit, RATE_WINDOW_MS, type HeardLimit } from './rate-limits.js';

/** A refused tenant is remembered until it was told to come back, and so much longer. */
export const WAITING_GRACE_MS = 5_000;
/** Bounds of what a flood of refused asks can leave behind. */
export const ASKS_COUNTED_PER_TENANT = 100;
export const WAITING_TENANTS_KEPT = 1_000;
/** Of those, so many are looked at for each ask. */
export const WAITING_TENANTS_LOOKED_AT = 64;

interface Ticket {
  readonly tenantId: string;
  readonly at: number;
  tokens: number;
  isSettled: boolean;
}

interface WaitingTenant {
  asks: number;
  needs: number;
  until: number;
}

const NOTHING: Use = { requests: 0, tokens: 0 };

/** The last minute of one gate. Does no I/O; times come with each call. */
export class RateMinute {
  private readonly tickets = new Map<string, Ticket>();
  private readonly waiting = new Map<string, WaitingTenant>();
  private readonly used = { requests: 0, tokens: 0 };
  private readonly settled = { requests: 0, tokens: 0 };
  private readonly useByTenant = new Map<string, { requests: number; tokens: number }>();
  private heardRequests: HeardLimit | undefined;
  private heardTokens: HeardLimit | undefined;
  private blockedUntil = 0;
  private newestAt = 0;

  acquire(request: RateRequest): RateAdmission {
    const { ticketId, tenantId, tokens, limits, now } = request;
    this.forget(now);
    const answer = decideRate({
      now,
      tokens,
      requestRoom: computeRoom(limits.requestsPerMinute, this.heardRequests, this.used.requests, now),
      tokenRoom: computeRoom(limits.tokensPerMinute, this.heardTokens, this.used.tokens, now),
      blockedUntil: this.blockedUntil,
      used: this.used,
      settled: this.settled,
      own: this.useByTenant.get(tenantId) ?? NOTHING,
      waitingAsks: [...this.waiting.values()].reduce((sum, { asks }) => sum + asks, 0),
      waiting: this.listOthersWaiting(tenantId),
      newestAt: this.newestAt,
      oldest: this.listOldest(),
    });
    if (this.tickets.has(ticketId)) return { admitted: true, utilizationPercent: answer.utilizationPercent };
    if (!answer.admitted) {
      this.rememberWaiting(tenantId, tokens, now + Math.min(answer.retryInMs, RATE_WINDOW_MS) + WAITING_GRACE_MS);
      return answer;
    }
    this.add(ticketId, { tenantId, tokens, at: now, isSettled: false });
    this.countHeard(now, 1, tokens);
    this.endWaiting(tenantId);
    return answer;
  }

  settle(ticketId: string, tokens: number): void {
    const ticket = this.tickets.get(ticketId);
    if (!ticket) return;
    this.countHeard(ticket.at, 0, tokens - ticket.tokens);
    this.count(ticket, -1);
    ticket.tokens = tokens;
    ticket.isSettled = true;
    this.count(ticket, 1);
  }

  cancel(ticketId: string): void {
    const ticket = this.tickets.get(ticketId);
    if (!ticket) return;
    this.countHeard(ticket.at, -1, -ticket.tokens);
    this.remove(ticketId, ticket);
    if (ticket.at === this.newestAt) this.newestAt = [...this.tickets.values()].at(-1)?.at ?? 0;
  }

  observe(observed: ObservedLimits, now: number): void {
    // Answers overtake each other: an older word does not replace a newer one.
    if (observed.requests && now >= (this.heardRequests?.heardAt ?? 0)) {
      this.heardRequests = hearLimit(observed.requests, now);
    }
    if (observed.tokens && now >= (this.heardTokens?.heardAt ?? 0)) {
      this.heardTokens = hearLimit(observed.tokens, now);
    }
    this.blockedUntil = Math.max(this.blockedUntil, observed.blockedUntil ?? 0);
  }

  private add(ticketId: string, ticket: Ticket): void {
    this.tickets.set(ticketId, ticket);
    this.newestAt = ticket.at;
    this.count(ticket, 1);
  }

  private remove(ticketId: string, ticket: Ticket): void {
    this.tickets.delete(ticketId);
    this.count(ticket, -1);
  }

  private forget(now: number): void {
    for (const [ticketId, ticket] of this.tickets) {
      if (now - ticket.at <= RATE_WINDOW_MS) break;
      this.remove(ticketId, ticket);
    }
    for (const [tenantId, { until }] of this.waiting) if (until <= now) this.waiting.delete(tenantId);
  }

  /** What the provider's next word will include already has to be counted only from tickets given after the last one. */
  private countHeard(ticketAt: number, requests: number, tokens: number): void {
    if (this.heardRequests && ticketAt >= this.heardRequests.heardAt) this.heardRequests.usedSince += requests;
    if (this.heardTokens && ticketAt >= this.heardTokens.heardAt) this.heardTokens.usedSince += tokens;
  }

  /** Adds `sign` (1 or −1) times the ticket to the sums, which keep an ask independent of how many tickets there are. */
  private count(ticket: Ticket, sign: 1 | -1): void {
    const own = this.useByTenant.get(ticket.tenantId) ?? { requests: 0, tokens: 0 };
    for (const use of ticket.isSettled ? [this.used, own, this.settled] : [this.used, own]) {
      use.requests += sign;
      use.tokens += sign * ticket.tokens;
    }
    if (own.requests === 0) this.useByTenant.delete(ticket.tenantId);
    else this.useByTenant.set(ticket.tenantId, own);
  }

  private listOldest(): Ticket[] {
    const oldest: Ticket[] = [];
    for (const ticket of this.tickets.values()) {
      if (oldest.length === OLDEST_LOOKED_AT) break;
      oldest.push(ticket);
    }
    return oldest;
  }

  private listOthersWaiting(tenantId: string): (Use & { readonly needs: number })[] {
    return [...this.waiting]
      .filter(([other]) => other !== tenantId)
      .slice(-WAITING_TENANTS_LOOKED_AT)
      .map(([other, { needs }]) => ({ ...(this.useByTenant.get(other) ?? NOTHING), needs }));
  }

  private rememberWaiting(tenantId: string, needs: number, until: number): void {
    const known = this.waiting.get(tenantId);
    if (!known && this.waiting.size >= WAITING_TENANTS_KEPT) return;
    this.waiting.delete(tenantId);
    this.waiting.set(tenantId, { asks: Math.min((known?.asks ?? 0) + 1, ASKS_COUNTED_PER_TENANT), needs, until });
  }

  private endWaiting(tenantId: string): void {
    const known = this.waiting.get(tenantId);
    if (!known) return;
    known.asks -= 1;
    if (known.asks === 0) this.waiting.delete(tenantId);
  }
}
