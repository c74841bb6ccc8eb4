import type { Clock } from '@annals/domain';
import type { ModelCall, RefusedCall } from './model-calls.js';
import { buildModelKey } from './model-limits.js';

/** How long a minute is assumed to be as busy as it was found, in ms. */
export const BUSY_TTL_MS = 5_000;
/** How long after the retry time of a refusal the next one is still likely, in ms. */
const REFUSAL_TTL_MS = 5_000;

type CalledModel = Pick<ModelCall<unknown>, 'provider' | 'model' | 'yieldsToInteractive'>;

/** What this process found at its last admissions, by model. */
export class AdmissionMemory {
  private readonly busyUntil = new Map<string, number>();
  private readonly refusesUntil = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /**
   * The refusal of a call that yields to interactive work, while the minute was found more than half used. The rate
   * limiter is not asked then, since it counts a refused caller as waiting and reserves capacity for it.
   */
  findYield({ provider, model, yieldsToInteractive }: CalledModel): RefusedCall | undefined {
    const leftMs = (this.busyUntil.get(buildModelKey(provider, model)) ?? 0) - this.clock.now();
    return yieldsToInteractive && leftMs > 0 ? yieldFor(leftMs) : undefined;
  }

  recordUtilization({ provider, model }: CalledModel, isBusy: boolean, now: number): void {
    this.busyUntil.set(buildModelKey(provider, model), isBusy ? now + BUSY_TTL_MS : 0);
  }

  /** Whether circuit breaker or rate limiter refused a call lately, and may refuse the next one. */
  expectsRefusal({ provider, model }: CalledModel): boolean {
    return this.clock.now() < (this.refusesUntil.get(buildModelKey(provider, model)) ?? 0);
  }

  /** `retryAt` is epoch ms. */
  recordRefusal({ provider, model }: CalledModel, retryAt: number): void {
    this.refusesUntil.set(buildModelKey(provider, model), retryAt + REFUSAL_TTL_MS);
  }
}

/** Like a refusal of the rate limiter that paces the call. */
export function yieldFor(retryInMs: number): RefusedCall {
  return { outcome: 'refused', why: 'rate', reason: 'pace', retryInMs };
}
