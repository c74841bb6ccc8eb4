import { withDeployment } from '../frame/deployment.ts';
import type { Suite } from '../frame/suite.ts';
import { floodRateLimiter } from '../admission/flood-rate-limiter.ts';
import { countRoundTrips } from '../admission/count-round-trips.ts';
import { openBenchCoordination } from '../admission/bench-coordination.ts';
import { measureBudget } from '../admission/measure-budget.ts';
import { measureLedger } from '../admission/measure-ledger.ts';
import { measureBreakerAndLimiter } from '../admission/measure-breaker-and-limiter.ts';
import { proveExactness } from '../admission/prove-exactness.ts';

/**
 * Target T12 (docs/reference/performance-targets.md#t12-overhead-of-budget-reservations): overhead before and after
 * every call of a remote model.
 */
export const benchAdmission: Suite = (options) =>
  withDeployment(options, async ({ environment }) => {
    const coordination = openBenchCoordination(environment);
    try {
      return [
        ...(await countRoundTrips(environment, coordination)),
        ...(await measureBudget(environment, coordination, options)),
        await proveExactness(environment, coordination),
        ...(await measureBreakerAndLimiter(environment, coordination, options)),
        ...(await floodRateLimiter(environment, coordination, options)),
        ...(await measureLedger(environment, coordination, options)),
      ];
    } finally {
      await coordination.close();
    }
  });
