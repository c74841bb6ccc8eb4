import type { Behaviour, Endpoint } from './behaviour.js';
import type { FakeRequest } from './fake-request.js';
import { type MisbehaviourMix, pickFromMix } from './misbehaviours.js';

/** Chooses the behaviour for a request, undefined for the next source. `n` counts the calls of its endpoint, from 1. */
export type BehaviourRule = (request: FakeRequest, n: number) => Behaviour | undefined;

/** Chooses behaviours, in this order: outage, plan of the endpoint, rule, mix, default answer. */
export class BehaviourSource {
  private readonly plans = new Map<Endpoint, Behaviour[]>();
  private readonly counts = new Map<Endpoint, number>();
  private readonly attempts = new Map<string, number>();
  private rule: BehaviourRule | undefined;
  private mix: MisbehaviourMix | undefined;
  private outageBehaviour: Behaviour | undefined;

  plan(endpoint: Endpoint, behaviours: readonly Behaviour[]): void {
    this.plans.set(endpoint, [...(this.plans.get(endpoint) ?? []), ...behaviours]);
  }

  behave(rule: BehaviourRule | undefined): void {
    this.rule = rule;
  }

  misbehave(mix: MisbehaviourMix | undefined): void {
    this.mix = mix;
    this.attempts.clear();
  }

  setOutage(behaviour: Behaviour | undefined): void {
    this.outageBehaviour = behaviour;
  }

  get outage(): Behaviour | undefined {
    return this.outageBehaviour;
  }

  next(request: FakeRequest): Behaviour {
    const n = (this.counts.get(request.endpoint) ?? 0) + 1;
    this.counts.set(request.endpoint, n);
    return (
      this.plans.get(request.endpoint)?.shift() ??
      this.rule?.(request, n) ??
      this.pickFromMix(request) ?? { kind: 'answer' }
    );
  }

  private pickFromMix(request: FakeRequest): Behaviour | undefined {
    if (!this.mix || request.endpoint !== 'generate') return undefined;
    const conversation = request.userTexts[0] ?? '';
    const attempt = (this.attempts.get(conversation) ?? 0) + 1;
    this.attempts.set(conversation, attempt);
    return pickFromMix(this.mix, request, attempt);
  }
}
