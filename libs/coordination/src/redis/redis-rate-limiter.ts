import type { CloseRequest } from '../port/admission.js';
import type {
  ObservedLimit,
  ObservedLimits,
  RateAdmission,
  RateLimiter,
  RateRefusal,
  RateRequest,
  RateReservation,
} from '../port/rate-limiter.js';
import { assertAmount, assertRateRequest } from '../rules/assert-requests.js';
import { trackLimit } from '../rules/rate-limits.js';
import type { CoordinationClient, ScriptArgument, ScriptStep } from './coordination-client.js';
import type { ScriptStepName } from './scripts/build-scripts.js';

type ClosedReservation = NonNullable<CloseRequest['rate']>;

/** For a fleet, on Redis: rules/rate-window.ts as Lua scripts. */
export class RedisRateLimiter implements RateLimiter {
  constructor(
    private readonly client: CoordinationClient,
    private readonly keyPrefix: string,
  ) {}

  async acquire(request: RateRequest): Promise<RateAdmission> {
    assertRateRequest(request);
    return decodeRateAdmission(await this.client.run(this.toAcquireStep(request)));
  }

  async settle(reservation: RateReservation & { readonly tokens: number }): Promise<void> {
    assertAmount('tokens', reservation.tokens);
    await this.client.run(this.toSettleStep(reservation, reservation.now));
  }

  async cancel(reservation: RateReservation): Promise<void> {
    await this.client.run(this.toSettleStep({ ...reservation, tokens: null }, reservation.now));
  }

  async observe({ limiter, observed, now }: Parameters<RateLimiter['observe']>[0]): Promise<void> {
    await this.client.run(this.toObserveStep(limiter, observed, now));
  }

  /** `yieldAbovePercent`: see AdmitRequest. */
  toAcquireStep(request: RateRequest, yieldAbovePercent?: number): ScriptStep {
    const { limiter, rateReservationId, tenantId, tokens, limits, now } = request;
    const limited = [limits.requestsPerMinute ?? '', limits.tokensPerMinute ?? '', yieldAbovePercent ?? ''];
    return this.toStep('rateAcquire', limiter, [now, rateReservationId, tenantId, tokens, ...limited]);
  }

  /** Without tokens, the reservation is cancelled. */
  toSettleStep({ limiter, rateReservationId, tokens }: ClosedReservation, now: number): ScriptStep {
    if (tokens === null) return this.toStep('rateCancel', limiter, [now, rateReservationId]);
    return this.toStep('rateSettle', limiter, [now, rateReservationId, tokens]);
  }

  toObserveStep(limiter: string, observed: ObservedLimits, now: number): ScriptStep {
    const limits = [observed.requests, observed.tokens].flatMap((limit) => encodeObserved(limit, now));
    return this.toStep('rateObserve', limiter, [now, observed.blockedUntil ?? 0, ...limits]);
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
