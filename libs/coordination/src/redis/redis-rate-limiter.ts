import type { CloseRequest } from '../port/admission.js';
import type {
  ObservedLimit,
  ObservedLimits,
  RateAdmission,
  RateLimiter,
  RateRefusal,
  RateRequest,
} from '../port/rate-limiter.js';
import { assertAmount, assertRateRequest } from '../rules/assert-requests.js';
import { trackLimit } from '../rules/rate-limits.js';
import type { CoordinationClient, ScriptArgument, ScriptStep } from './coordination-client.js';
import type { ScriptStepName } from './scripts/build-scripts.js';

/** For a fleet, on Redis: rules/rate-window.ts as Lua scripts. */
export function createRedisRateLimiter(client: CoordinationClient, keyPrefix: string) {
  function toStep<T>(
    name: ScriptStepName,
    limiter: string,
    values: readonly ScriptArgument[],
    decode: (reply: unknown) => T,
  ): ScriptStep<T> {
    const keys = ['reservations', 'counters', 'waiting'].map((part) => `{${keyPrefix}}:rate:${limiter}:${part}`);
    return { name, keys, encode: () => values, decode };
  }
  const steps = {
    /** `yieldAbovePercent`: see AdmitRequest. */
    acquire({ limiter, rateReservationId, tenantId, tokens, limits, now }: RateRequest, yieldAbovePercent?: number) {
      const limited = [limits.requestsPerMinute ?? '', limits.tokensPerMinute ?? '', yieldAbovePercent ?? ''];
      return toStep('rateAcquire', limiter, [now, rateReservationId, tenantId, tokens, ...limited], decodeAdmission);
    },
    /** Without tokens, the reservation is cancelled. */
    close({ limiter, rateReservationId, tokens }: NonNullable<CloseRequest['rate']>, now: number) {
      if (tokens === null) return toStep('rateCancel', limiter, [now, rateReservationId], ignore);
      return toStep('rateSettle', limiter, [now, rateReservationId, tokens], ignore);
    },
    observe(limiter: string, observed: ObservedLimits, now: number) {
      const limits = [observed.requests, observed.tokens].flatMap((limit) => encodeObserved(limit, now));
      return toStep('rateObserve', limiter, [now, observed.blockedUntil ?? 0, ...limits], ignore);
    },
  };
  const rateLimiter: RateLimiter = {
    async acquire(request) {
      assertRateRequest(request);
      return client.run(steps.acquire(request));
    },
    async settle(reservation) {
      assertAmount('tokens', reservation.tokens);
      await client.run(steps.close(reservation, reservation.now));
    },
    cancel: (reservation) => client.run(steps.close({ ...reservation, tokens: null }, reservation.now)),
    observe: ({ limiter, observed, now }) => client.run(steps.observe(limiter, observed, now)),
  };
  return { ...rateLimiter, steps };
}

function ignore(): void {}

function decodeAdmission(reply: unknown): RateAdmission {
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
