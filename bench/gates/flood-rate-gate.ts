import type { Coordination } from '@annals/coordination';
import type { BenchPlace } from '../frame/place.ts';
import type { Row } from '../frame/row.ts';
import { takeTurns } from '../frame/take-turns.ts';
import { openBareBudget } from './bare-budget.ts';

const LIMITS = { requestsPerMinute: 50, tokensPerMinute: 10_000_000 };
const TOKENS = 2_500;
const TENANTS = 1_000;

/** Asks that are refused, as of 10 000 batches that all want through a full gate: of one tenant, and of a thousand. */
export async function floodRateGate(
  place: BenchPlace,
  { rates }: Coordination,
  { quick }: { readonly quick: boolean },
): Promise<Row[]> {
  const { ids, clock } = place;
  const tenants = Array.from({ length: TENANTS }, () => ids.next());
  const createAsk = (gate: string, payers: readonly string[]) => async (index: number) => {
    const tenantId = payers[index % payers.length]!;
    const request = { gate, ticketId: ids.next(), tenantId, tokens: TOKENS, limits: LIMITS, now: clock.now() };
    return (await rates.acquire(request)).admitted;
  };
  const asks = { one: createAsk('flood:one', tenants.slice(0, 1)), many: createAsk('flood:many', tenants) };
  let admitted = 0;
  const count = (ask: (index: number) => Promise<boolean>) => async (index: number) => {
    if (await ask(index)) admitted += 1;
  };
  const bare = await openBareBudget(place.redisUrl, place.queuePrefix, () => clock.now());
  const sides = { ping: () => bare.ping(), one: count(asks.one), many: count(asks.many) };
  // One round fills both gates and is not measured.
  const alone = await takeTurns(sides, { callers: 1, rounds: quick ? 2 : 5, count: quick ? 300 : 1_000 });
  const crowded = await takeTurns(sides, { callers: 64, rounds: quick ? 2 : 5, count: quick ? 2_000 : 10_000 });
  await bare.close();
  const names = { one: 'one tenant', many: `${TENANTS.toLocaleString('en-US')} tenants` } as const;
  return (['one', 'many'] as const).flatMap((side) => [
    {
      id: 'T12',
      what: `rate gate, full, flooded by ${names[side]}: asks, 64 callers`,
      value: crowded[side].perSecond,
      unit: '/s',
      raw: { what: 'bare PING /s', value: crowded.ping.perSecond },
      details: { admitted },
    },
    {
      id: 'T12',
      what: `rate gate, full, flooded by ${names[side]}: ask, 1 caller: p50`,
      value: alone[side].latency.p50,
      unit: 'ms',
      raw: { what: 'bare PING', value: alone.ping.latency.p50 },
      details: { scriptMs: alone[side].latency.p50 - alone.ping.latency.p50 },
    },
  ]);
}
