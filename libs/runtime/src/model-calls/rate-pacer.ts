import type { RateAdmission, RateLimiter } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { CallReporter } from './call-reporter.js';
import type { CoordinationWatch } from './coordination-watch.js';
import type { ModelCall } from './model-calls.js';
import { findRates, type ModelLimits, buildModelKey } from './model-limits.js';

/**
 * Above this utilisation the rest of a minute is reserved for required calls; below the 80 % from which the limiter
 * paces those.
 */
const BULK_YIELD_PERCENT = 50;
/** How long a minute is assumed to be as busy as it was found. */
const BUSY_TTL_MS = 5_000;

export interface RatePacerDependencies {
  readonly rateLimiter: RateLimiter;
  readonly watch: CoordinationWatch;
  readonly reporter: CallReporter;
  readonly limits: Pick<ModelLimits, 'models'>;
  readonly clock: Clock;
}

/**
 * Acquires reservations from the rate limiter. A call that yields to interactive work is refused while the minute is
 * more than half used. While that is remembered, the limiter is not called, since it counts a refused caller as waiting
 * and reserves capacity for it.
 */
export class RatePacer {
  private readonly busyUntil = new Map<string, number>();

  constructor(private readonly deps: RatePacerDependencies) {}

  async acquire(call: ModelCall<unknown>, rateReservationId: string): Promise<RateAdmission> {
    const limiter = buildModelKey(call.provider, call.model);
    const requestedAt = this.deps.clock.now();
    const busyUntil = this.busyUntil.get(limiter) ?? 0;
    if (call.yieldsToInteractive && requestedAt < busyUntil) return yieldToInteractive(busyUntil - requestedAt);
    const admission = await this.requestAdmission(limiter, call, rateReservationId, requestedAt);
    const isBusy = admission.utilizationPercent > BULK_YIELD_PERCENT;
    this.busyUntil.set(limiter, isBusy ? requestedAt + BUSY_TTL_MS : 0);
    if (!call.yieldsToInteractive || !admission.admitted || !isBusy) return admission;
    await this.cancel(call, rateReservationId);
    return yieldToInteractive(BUSY_TTL_MS);
  }

  async cancel({ provider, model }: ModelCall<unknown>, rateReservationId: string): Promise<void> {
    const { watch, rateLimiter, clock } = this.deps;
    await watch.tryRun('rates', () =>
      rateLimiter.cancel({ limiter: buildModelKey(provider, model), rateReservationId, now: clock.now() }),
    );
  }

  private async requestAdmission(
    limiter: string,
    call: ModelCall<unknown>,
    rateReservationId: string,
    now: number,
  ): Promise<RateAdmission> {
    const { watch, rateLimiter, limits, reporter } = this.deps;
    const { provider, model, tenantId, expectedTokens: tokens } = call;
    const request = { limiter, rateReservationId, tenantId, tokens, limits: findRates(limits, provider, model), now };
    const admission = await watch.run('rates', () => rateLimiter.acquire(request));
    reporter.paced(call, admission);
    return admission;
  }
}

function yieldToInteractive(retryInMs: number): RateAdmission {
  return { admitted: false, reason: 'pace', retryInMs, utilizationPercent: BULK_YIELD_PERCENT };
}
