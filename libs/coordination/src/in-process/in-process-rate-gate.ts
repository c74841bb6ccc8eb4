import type { RateAdmission, RateGate, RateRequest } from '../port/rate-gate.js';
import { assertAmount } from '../rules/assert-amount.js';
import { assertRateLimits } from '../rules/rate-limits.js';
import { RateMinute } from '../rules/rate-minute.js';

/** For one process. There are as many gates as providers and models are configured. */
export class InProcessRateGate implements RateGate {
  private readonly gates = new Map<string, RateMinute>();

  async acquire(request: RateRequest): Promise<RateAdmission> {
    assertAmount('tokens', request.tokens);
    assertRateLimits(request.limits);
    return this.find(request.gate).acquire(request);
  }

  async settle(ticket: Parameters<RateGate['settle']>[0]): Promise<void> {
    assertAmount('tokens', ticket.tokens);
    this.find(ticket.gate).settle(ticket.ticketId, ticket.tokens);
  }

  async cancel(ticket: Parameters<RateGate['cancel']>[0]): Promise<void> {
    this.find(ticket.gate).cancel(ticket.ticketId);
  }

  async observe(observation: Parameters<RateGate['observe']>[0]): Promise<void> {
    this.find(observation.gate).observe(observation.observed, observation.now);
  }

  private find(name: string): RateMinute {
    const gate = this.gates.get(name) ?? new RateMinute();
    this.gates.set(name, gate);
    return gate;
  }
}
