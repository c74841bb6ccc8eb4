import type { Coordination } from '@annals/coordination';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import type { Row } from '../frame/row.ts';
import { runInterleaved } from '../frame/run-interleaved.ts';
import { MODEL, PROVIDER } from './bench-coordination.ts';

const TOKENS = 2_500;
/** Limits that are counted, but never reached. */
const LIMITS = { requestsPerMinute: 100_000_000, tokensPerMinute: 1_000_000_000_000 };

/** Time of the circuit breaker and the rate limiter per call, in addition to the budget. */
export async function measureBreakerAndLimiter(
  { ids, tenantId, clock }: BenchEnvironment,
  { breaker, rateLimiter }: Coordination,
  { quick }: { readonly quick: boolean },
): Promise<Row[]> {
  const limiter = `${PROVIDER}:${MODEL}`;
  const sides = {
    breaker: async () => {
      const admission = await breaker.acquire(limiter, clock.now());
      if (!admission.admitted) throw new Error('The circuit opened.');
      await breaker.report(limiter, admission.reservation, 'success', clock.now());
    },
    rateLimiter: async () => {
      const rateReservationId = ids.next();
      const request = { limiter, rateReservationId, tenantId, tokens: TOKENS, limits: LIMITS, now: clock.now() };
      if (!(await rateLimiter.acquire(request)).admitted) throw new Error('The rate limiter refused.');
      await rateLimiter.settle({ limiter, rateReservationId, tokens: TOKENS, now: clock.now() });
    },
  };
  const alone = await runInterleaved(sides, { callers: 1, rounds: quick ? 2 : 5, count: quick ? 250 : 1_000 });
  const crowded = await runInterleaved(sides, { callers: 16, rounds: quick ? 2 : 5, count: quick ? 1_000 : 4_000 });
  const names = { breaker: 'breaker acquire + report', rateLimiter: 'rate limiter acquire + settle' } as const;
  return (['breaker', 'rateLimiter'] as const).flatMap((side) => [
    { id: 'T12', what: `${names[side]}, 1 caller: p50`, value: alone[side].latency.p50, unit: 'ms' },
    { id: 'T12', what: `${names[side]}, 16 callers: pairs`, value: crowded[side].perSecond, unit: '/s' },
  ]);
}
