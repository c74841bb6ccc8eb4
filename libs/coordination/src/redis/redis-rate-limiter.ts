import type {
  ObservedLimit,
  ObservedLimits,
  RateAdmission,
  RateLimiter,
  RateRefusal,
  RateRequest,
} from '../port/rate-limiter.js';
import { assertAmount } from '../rules/assert-amount.js';
import { assertRateLimits, trackLimit } from '../rules/rate-limits.js';
import type { CoordinationClient, ScriptArgument, ScriptStep } from './coordination-client.js';
import type { ScriptStepName } from './scripts/build-scripts.js';

/** For a fleet, on Redis: rules/rate-window.ts as Lua scripts. */
export class RedisRateLimiter implements RateLimiter {
  constructor(
    private readonly client: CoordinationClient,
    private readonly keyPrefix: string,
  ) {}

  async acquire(request: RateRequest): Promise<RateAdmission> {
    assertAmount('tokens', request.tokens);
    assertRateLimits(request.limits);
    return decodeRateAdmission(await this.client.run(this.toAcquireStep(request)));
  }

  async settle({ limiter, rateReservationId, tokens, now }: Parameters<RateLimiter['settle']>[0]): Promise<void> {
    assertAmount('tokens', tokens);
    await this.client.run(this.toSettleStep({ limiter, rateReservationId, tokens }, now));
  }

  async cancel({ limiter, rateReservationId, now }: Parameters<RateLimiter['cancel']>[0]): Promise<void> {
    await this.client.run(this.toSettleStep({ limiter, rateReservationId, tokens: null }, now));
  }

  async observe({ limiter, observed, now }: Parameters<RateLimiter['observe']>[0]): Promise<void> {
    await this.client.run(this.toObserveStep(limiter, observed, now));
  }

  /** `yieldAbovePercent`: see AdmitRequest. */
  toAcquireStep(request: RateRequest, yieldAbovePercent?: number): ScriptStep {
    const { limiter, rateReservationId, tenantId, tokens, limits, now } = request;
    return this.toStep('rateAcquire', limiter, [
      now,
      rateReservationId,
      tenantId,
      tokens,
      limits.requestsPerMinute ?? '',
      limits.tokensPerMinute ?? '',
      yieldAbovePercent ?? '',
    ]);
  }

  /** Without tokens, the reservation is cancelled. */
  toSettleStep(
    {
      limiter,
      rateReservationId,
      tokens,
    }: { readonly limiter: string; readonly rateReservationId: string; readonly tokens: number | null },
    now: number,
  ): ScriptStep {
    if (tokens === null) return this.toStep('rateCancel', limiter, [now, rateReservationId]);
    return this.toStep('rateSettle', limiter, [now, rateReservationId, tokens]);
  }

  toObserveStep(limiter: string, observed: ObservedLimits, now: number): ScriptStep {
    return this.toStep('rateObserve', limiter, [
      now,
      observed.blockedUntil ?? 0,
      ...encodeObserved(observed.requests, now),
      ...encodeObserved(observed.tokens, now),
    ]);
  }

  private toStep(name: ScriptStepName, limiter: string, values: readonly ScriptArgument[]): ScriptStep {
    const key = `{${this.keyPrefix}}:rate:${limiter}`;
    return { name, keys: [`${key}:reservations`, `${key}:counters`, `${key}:waiting`], encode: () => values };
  }
}

export function decodeRateAdmission(reply: unknown): RateAdmission {
  const [reason, retryInMs, percent] = reply as [RateRefusal | '', number, string];
  const utilizationPercent = Number(percent);
  return reason === ''
    ? { admitted: true, utilizationPercent }
    : { admitted: false, reason, retryInMs, utilizationPercent };
}

function encodeObserved(observed: ObservedLimit | undefined, now: number): ScriptArgument[] {
  if (!observed) return ['', '', ''];
  const { limit, remaining, resetAt } = trackLimit(observed, now);
  return [limit, remaining, resetAt];
}
