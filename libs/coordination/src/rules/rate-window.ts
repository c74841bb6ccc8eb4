import type { ObservedLimits, RateAdmission, RateRequest } from '../port/rate-limiter.js';
import { decideRate, MAX_OLDEST_CHECKED, type Usage } from './decide-rate.js';
import { computeCapacity, trackLimit, RATE_WINDOW_MS, type TrackedLimit } from './rate-limits.js';

/** A refused tenant counts as waiting until the time of its retry and this much longer. */
export const WAITING_GRACE_MS = 5_000;
/** Bounds on what a flood of refused requests can store. */
export const MAX_WAITING_REQUESTS_PER_TENANT = 100;
export const MAX_WAITING_TENANTS = 1_000;
/** How many of them are checked for each request. */
export const MAX_WAITING_TENANTS_CHECKED = 64;

interface WindowReservation {
  readonly tenantId: string;
  readonly at: number;
  tokens: number;
  isSettled: boolean;
}

interface WaitingTenant {
  requests: number;
  needs: number;
  until: number;
}

const NO_USAGE: Usage = { requests: 0, tokens: 0 };

/** The last minute of one limiter. Does no I/O; the caller passes the time. */
export class RateWindow {
  private readonly reservations = new Map<string, WindowReservation>();
  private readonly waiting = new Map<string, WaitingTenant>();
  private readonly used = { requests: 0, tokens: 0 };
  private readonly settled = { requests: 0, tokens: 0 };
  private readonly usageByTenant = new Map<string, { requests: number; tokens: number }>();
  private trackedRequests: TrackedLimit | undefined;
  private trackedTokens: TrackedLimit | undefined;
  private blockedUntil = 0;
  private newestAt = 0;

  acquire(request: RateRequest): RateAdmission {
    const { rateReservationId, tenantId, tokens, limits, now } = request;
    this.removeExpired(now);
    const admission = decideRate({
      now,
      tokens,
      requestCapacity: computeCapacity(limits.requestsPerMinute, this.trackedRequests, this.used.requests, now),
      tokenCapacity: computeCapacity(limits.tokensPerMinute, this.trackedTokens, this.used.tokens, now),
      blockedUntil: this.blockedUntil,
      used: this.used,
      settled: this.settled,
      own: this.usageByTenant.get(tenantId) ?? NO_USAGE,
      waitingRequests: [...this.waiting.values()].reduce((sum, { requests }) => sum + requests, 0),
      waiting: this.listOthersWaiting(tenantId),
      newestAt: this.newestAt,
      oldest: this.listOldest(),
    });
    if (this.reservations.has(rateReservationId))
      return { admitted: true, utilizationPercent: admission.utilizationPercent };
    if (!admission.admitted) {
      this.addWaiting(tenantId, tokens, now + Math.min(admission.retryInMs, RATE_WINDOW_MS) + WAITING_GRACE_MS);
      return admission;
    }
    const reservation: WindowReservation = { tenantId, tokens, at: now, isSettled: false };
    this.reservations.set(rateReservationId, reservation);
    this.newestAt = now;
    this.count(reservation, 1);
    this.countTracked(now, 1, tokens);
    this.endWaiting(tenantId);
    return admission;
  }

  settle(rateReservationId: string, tokens: number): void {
    const reservation = this.reservations.get(rateReservationId);
    if (!reservation) return;
    this.countTracked(reservation.at, 0, tokens - reservation.tokens);
    this.count(reservation, -1);
    reservation.tokens = tokens;
    reservation.isSettled = true;
    this.count(reservation, 1);
  }

  cancel(rateReservationId: string): void {
    const reservation = this.reservations.get(rateReservationId);
    if (!reservation) return;
    this.countTracked(reservation.at, -1, -reservation.tokens);
    this.remove(rateReservationId, reservation);
    if (reservation.at === this.newestAt) this.newestAt = [...this.reservations.values()].at(-1)?.at ?? 0;
  }

  observe(observed: ObservedLimits, now: number): void {
    // Responses can arrive out of order: an older report does not replace a newer one.
    if (observed.requests && now >= (this.trackedRequests?.observedAt ?? 0)) {
      this.trackedRequests = trackLimit(observed.requests, now);
    }
    if (observed.tokens && now >= (this.trackedTokens?.observedAt ?? 0)) {
      this.trackedTokens = trackLimit(observed.tokens, now);
    }
    this.blockedUntil = Math.max(this.blockedUntil, observed.blockedUntil ?? 0);
  }

  private remove(rateReservationId: string, reservation: WindowReservation): void {
    this.reservations.delete(rateReservationId);
    this.count(reservation, -1);
  }

  private removeExpired(now: number): void {
    for (const [rateReservationId, reservation] of this.reservations) {
      if (now - reservation.at <= RATE_WINDOW_MS) break;
      this.remove(rateReservationId, reservation);
    }
    for (const [tenantId, { until }] of this.waiting) if (until <= now) this.waiting.delete(tenantId);
  }

  /** Counts usage since the last report of the provider: what was reserved before it is included in the report. */
  private countTracked(reservedAt: number, requests: number, tokens: number): void {
    if (this.trackedRequests && reservedAt >= this.trackedRequests.observedAt)
      this.trackedRequests.usedSince += requests;
    if (this.trackedTokens && reservedAt >= this.trackedTokens.observedAt) this.trackedTokens.usedSince += tokens;
  }

  /** Sums are kept, so that the cost of a request does not grow with the number of reservations. */
  private count(reservation: WindowReservation, sign: 1 | -1): void {
    const own = this.usageByTenant.get(reservation.tenantId) ?? { requests: 0, tokens: 0 };
    for (const usage of reservation.isSettled ? [this.used, own, this.settled] : [this.used, own]) {
      usage.requests += sign;
      usage.tokens += sign * reservation.tokens;
    }
    if (own.requests === 0) this.usageByTenant.delete(reservation.tenantId);
    else this.usageByTenant.set(reservation.tenantId, own);
  }

  private listOldest(): WindowReservation[] {
    const oldest: WindowReservation[] = [];
    for (const reservation of this.reservations.values()) {
      if (oldest.length === MAX_OLDEST_CHECKED) break;
      oldest.push(reservation);
    }
    return oldest;
  }

  private listOthersWaiting(tenantId: string): (Usage & { readonly needs: number })[] {
    return [...this.waiting]
      .filter(([other]) => other !== tenantId)
      .slice(-MAX_WAITING_TENANTS_CHECKED)
      .map(([other, { needs }]) => ({ ...(this.usageByTenant.get(other) ?? NO_USAGE), needs }));
  }

  private addWaiting(tenantId: string, needs: number, until: number): void {
    const known = this.waiting.get(tenantId);
    if (!known && this.waiting.size >= MAX_WAITING_TENANTS) return;
    this.waiting.delete(tenantId);
    this.waiting.set(tenantId, {
      requests: Math.min((known?.requests ?? 0) + 1, MAX_WAITING_REQUESTS_PER_TENANT),
      needs,
      until,
    });
  }

  private endWaiting(tenantId: string): void {
    const known = this.waiting.get(tenantId);
    if (!known) return;
    known.requests -= 1;
    if (known.requests === 0) this.waiting.delete(tenantId);
  }
}
