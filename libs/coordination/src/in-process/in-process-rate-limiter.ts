import type { RateAdmission, RateLimiter, RateRequest } from '../port/rate-limiter.js';
import { assertAmount } from '../rules/assert-amount.js';
import { assertRateLimits } from '../rules/rate-limits.js';
import { RateWindow } from '../rules/rate-window.js';

/** For one process. Holds one limiter for each configured provider and model. */
export class InProcessRateLimiter implements RateLimiter {
  private readonly limiters = new Map<string, RateWindow>();

  async acquire(request: RateRequest): Promise<RateAdmission> {
    assertAmount('tokens', request.tokens);
    assertRateLimits(request.limits);
    return this.find(request.limiter).acquire(request);
  }

  async settle(reservation: Parameters<RateLimiter['settle']>[0]): Promise<void> {
    assertAmount('tokens', reservation.tokens);
    this.find(reservation.limiter).settle(reservation.rateReservationId, reservation.tokens);
  }

  async cancel(reservation: Parameters<RateLimiter['cancel']>[0]): Promise<void> {
    this.find(reservation.limiter).cancel(reservation.rateReservationId);
  }

  async observe(observation: Parameters<RateLimiter['observe']>[0]): Promise<void> {
    this.find(observation.limiter).observe(observation.observed, observation.now);
  }

  private find(name: string): RateWindow {
    const limiter = this.limiters.get(name) ?? new RateWindow();
    this.limiters.set(name, limiter);
    return limiter;
  }
}
