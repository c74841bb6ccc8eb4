import type { ObservedLimit, RateAdmission, RateLimiter, RateRefusal, RateRequest } from '../port/rate-limiter.js';
import { assertAmount } from '../rules/assert-amount.js';
import { assertRateLimits, trackLimit } from '../rules/rate-limits.js';
import type { CoordinationClient, ScriptArgument } from './coordination-client.js';

/** For a fleet, on Redis: rules/rate-window.ts as Lua scripts. */
export class RedisRateLimiter implements RateLimiter {
  constructor(
    private readonly client: CoordinationClient,
    private readonly keyPrefix: string,
  ) {}

  async acquire(request: RateRequest): Promise<RateAdmission> {
    const { limiter, rateReservationId, tenantId, tokens, limits, now } = request;
    assertAmount('tokens', tokens);
    assertRateLimits(limits);
    const [reason, retryInMs, percent] = (await this.run('rateAcquire', limiter, [
      now,
      rateReservationId,
      tenantId,
      tokens,
      limits.requestsPerMinute ?? '',
      limits.tokensPerMinute ?? '',
    ])) as [RateRefusal | '', number, string];
    const utilizationPercent = Number(percent);
    return reason === ''
      ? { admitted: true, utilizationPercent }
      : { admitted: false, reason, retryInMs, utilizationPercent };
  }

  async settle({ limiter, rateReservationId, tokens, now }: Parameters<RateLimiter['settle']>[0]): Promise<void> {
    assertAmount('tokens', tokens);
    await this.run('rateSettle', limiter, [now, rateReservationId, tokens]);
  }

  async cancel({ limiter, rateReservationId, now }: Parameters<RateLimiter['cancel']>[0]): Promise<void> {
    await this.run('rateCancel', limiter, [now, rateReservationId]);
  }

  async observe({ limiter, observed, now }: Parameters<RateLimiter['observe']>[0]): Promise<void> {
    await this.run('rateObserve', limiter, [
      now,
      observed.blockedUntil ?? 0,
      ...encodeObserved(observed.requests, now),
      ...encodeObserved(observed.tokens, now),
    ]);
  }

  private async run(script: string, limiter: string, values: readonly ScriptArgument[]): Promise<unknown> {
    const tag = `{${this.keyPrefix}:rate:${limiter}}`;
    return this.client.run(script, [`${tag}:reservations`, `${tag}:counters`, `${tag}:waiting`], () => values);
  }
}

function encodeObserved(observed: ObservedLimit | undefined, now: number): ScriptArgument[] {
  if (!observed) return ['', '', ''];
  const { limit, remaining, resetAt } = trackLimit(observed, now);
  return [limit, remaining, resetAt];
}
