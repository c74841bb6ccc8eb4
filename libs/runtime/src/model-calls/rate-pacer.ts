import type { RateAdmission, RateGate } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { CallReporter } from './call-reporter.js';
import type { CoordinationWatch } from './coordination-watch.js';
import type { ModelCall } from './model-calls.js';
import { findRates, type ModelLimits, nameCircuit } from './model-limits.js';

/** What a minute has left above it is for calls that have to be made; below the 80 % where the gate begins to pace those. */
export const GIVES_WAY_ABOVE_PERCENT = 50;
/** How long a minute is taken for as full as it was found. */
const REMEMBERED_MS = 5_000;

export interface RatePacerDependencies {
  readonly rates: RateGate;
  readonly watch: CoordinationWatch;
  readonly reporter: CallReporter;
  readonly limits: Pick<ModelLimits, 'models'>;
  readonly clock: Clock;
}

/**
 * Asks the rate gate for a call. One that gives way is refused while the minute is more than half used: without asking,
 * as long as that is remembered, since the gate would expect whoever it refuses to be back and keep room for them.
 */
export class RatePacer {
  private readonly crowdedUntil = new Map<string, number>();

  constructor(private readonly deps: RatePacerDependencies) {}

  async acquire(call: ModelCall<unknown>, ticketId: string): Promise<RateAdmission> {
    const gate = nameCircuit(call.provider, call.model);
    const askedAt = this.deps.clock.now();
    const crowdedUntil = this.crowdedUntil.get(gate) ?? 0;
    if (call.givesWay && askedAt < crowdedUntil) return giveWay(crowdedUntil - askedAt);
    const admission = await this.ask(gate, call, ticketId, askedAt);
    const isCrowded = admission.utilizationPercent > GIVES_WAY_ABOVE_PERCENT;
    this.crowdedUntil.set(gate, isCrowded ? askedAt + REMEMBERED_MS : 0);
    if (!call.givesWay || !admission.admitted || !isCrowded) return admission;
    await this.cancel(call, ticketId);
    return giveWay(REMEMBERED_MS);
  }

  async cancel({ provider, model }: ModelCall<unknown>, ticketId: string): Promise<void> {
    const { watch, rates, clock } = this.deps;
    await watch.tell('rates', () => rates.cancel({ gate: nameCircuit(provider, model), ticketId, now: clock.now() }));
  }

  private async ask(gate: string, call: ModelCall<unknown>, ticketId: string, now: number): Promise<RateAdmission> {
    const { watch, rates, limits, reporter } = this.deps;
    const { provider, model, tenantId, expectedTokens: tokens } = call;
    const request = { gate, ticketId, tenantId, tokens, limits: findRates(limits, provider, model), now };
    const admission = await watch.ask('rates', () => rates.acquire(request));
    reporter.paced(call, admission);
    return admission;
  }
}

function giveWay(retryInMs: number): RateAdmission {
  return { admitted: false, reason: 'pace', retryInMs, utilizationPercent: GIVES_WAY_ABOVE_PERCENT };
}
