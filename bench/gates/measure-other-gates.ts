import type { Coordination } from '@annals/coordination';
import type { BenchPlace } from '../frame/place.ts';
import type { Row } from '../frame/row.ts';
import { takeTurns } from '../frame/take-turns.ts';
import { MODEL, PROVIDER } from './gate-place.ts';

const TOKENS = 2_500;
/** Never reached, and so always counted. */
const LIMITS = { requestsPerMinute: 100_000_000, tokensPerMinute: 1_000_000_000_000 };

/** What the breaker and the rate gate take for each call, beside the budget. */
export async function measureOtherGates(
  { ids, tenantId, clock }: BenchPlace,
  { breaker, rates }: Coordination,
  { quick }: { readonly quick: boolean },
): Promise<Row[]> {
  const gate = `${PROVIDER}:${MODEL}`;
  const sides = {
    breaker: async () => {
      const admission = await breaker.acquire(gate, clock.now());
      if (!admission.admitted) throw new Error('The circuit opened.');
      await breaker.report(gate, admission.permit, 'success', clock.now());
    },
    rates: async () => {
      const ticketId = ids.next();
      const request = { gate, ticketId, tenantId, tokens: TOKENS, limits: LIMITS, now: clock.now() };
      if (!(await rates.acquire(request)).admitted) throw new Error('The rate gate refused.');
      await rates.settle({ gate, ticketId, tokens: TOKENS, now: clock.now() });
    },
  };
  const alone = await takeTurns(sides, { callers: 1, rounds: quick ? 2 : 5, count: quick ? 250 : 1_000 });
  const crowded = await takeTurns(sides, { callers: 16, rounds: quick ? 2 : 5, count: quick ? 1_000 : 4_000 });
  const names = { breaker: 'breaker acquire + report', rates: 'rate gate acquire + settle' } as const;
  return (['breaker', 'rates'] as const).flatMap((side) => [
    { id: 'T12', what: `${names[side]}, 1 caller: p50`, value: alone[side].latency.p50, unit: 'ms' },
    { id: 'T12', what: `${names[side]}, 16 callers: pairs`, value: crowded[side].perSecond, unit: '/s' },
  ]);
}
