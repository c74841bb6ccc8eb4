import type { Coordination } from '@annals/coordination';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import type { Row } from '../frame/row.ts';
import { runInterleaved } from '../frame/run-interleaved.ts';
import { openBareBudget } from './bare-budget.ts';

const LIMITS = { requestsPerMinute: 50, tokensPerMinute: 10_000_000 };
const TOKENS = 2_500;
const TENANTS = 1_000;

/** Requests to a full rate limiter that are refused, as from 10 000 batches: of one tenant, and of a thousand. */
export async function floodRateLimiter(
  environment: BenchEnvironment,
  { rateLimiter }: Coordination,
  { quick }: { readonly quick: boolean },
): Promise<Row[]> {
  const { ids, clock } = environment;
  const tenants = Array.from({ length: TENANTS }, () => ids.next());
  const createRequest = (limiter: string, payers: readonly string[]) => async (index: number) => {
    const tenantId = payers[index % payers.length]!;
    const request = {
      limiter,
      rateReservationId: ids.next(),
      tenantId,
      tokens: TOKENS,
      limits: LIMITS,
      now: clock.now(),
    };
    return (await rateLimiter.acquire(request)).admitted;
  };
  const requests = { one: createRequest('flood:one', tenants.slice(0, 1)), many: createRequest('flood:many', tenants) };
  let admitted = 0;
  const count = (request: (index: number) => Promise<boolean>) => async (index: number) => {
    if (await request(index)) admitted += 1;
  };
  const bare = await openBareBudget(environment.redisUrl, environment.queuePrefix, () => clock.now());
  const sides = { ping: () => bare.ping(), one: count(requests.one), many: count(requests.many) };
  // One round fills both limiters and is not measured.
  const alone = await runInterleaved(sides, { callers: 1, rounds: quick ? 2 : 5, count: quick ? 300 : 1_000 });
  const crowded = await runInterleaved(sides, { callers: 64, rounds: quick ? 2 : 5, count: quick ? 2_000 : 10_000 });
  await bare.close();
  const names = { one: 'one tenant', many: `${TENANTS.toLocaleString('en-US')} tenants` } as const;
  return (['one', 'many'] as const).flatMap((side) => [
    {
      id: 'T12',
      what: `rate limiter, full, flooded by ${names[side]}: requests, 64 callers`,
      value: crowded[side].perSecond,
      unit: '/s',
      raw: { what: 'bare PING /s', value: crowded.ping.perSecond },
      details: { admitted },
    },
    {
      id: 'T12',
      what: `rate limiter, full, flooded by ${names[side]}: request, 1 caller: p50`,
      value: alone[side].latency.p50,
      unit: 'ms',
      raw: { what: 'bare PING', value: alone.ping.latency.p50 },
      details: { scriptMs: alone[side].latency.p50 - alone.ping.latency.p50 },
    },
  ]);
}
