import { describeAdmission } from './admission.contract.js';
import { describeBudgetStore } from './budget-store.contract.js';
import { describeCircuitBreaker } from './circuit-breaker.contract.js';
import type { CreateCoordination } from '../fixtures/coordination.fixture.js';
import { describeRateLimiter } from './rate-limiter.contract.js';
import { describeRules } from './rules.contract.js';

/** The contract suite of every coordination implementation. `create` returns a connected one. */
export function describeCoordination(title: string, create: CreateCoordination): void {
  describe(title, () => {
    describe('admission', () => describeAdmission(create));
    describe('budget store', () => describeBudgetStore(create));
    describe('circuit breaker', () => describeCircuitBreaker(create));
    describe('rate limiter', () => describeRateLimiter(create));
    describe('rules', () => describeRules(create));
    it('answers a ping', async () => {
      const coordination = create();
      await expect(coordination.ping()).resolves.toBeUndefined();
      await coordination.close();
    });
  });
}
