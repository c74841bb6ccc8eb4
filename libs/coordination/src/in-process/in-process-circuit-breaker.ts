import type {
  BreakerAdmission,
  BreakerPolicy,
  CallOutcome,
  CircuitBreaker,
  CircuitTransition,
} from '../port/circuit-breaker.js';
import { acquireReservation, createCircuit, readCircuit, reportOutcome, type Circuit } from '../rules/circuit.js';

/** For one process. Holds one circuit for each configured provider and model. */
export class InProcessCircuitBreaker implements CircuitBreaker {
  private readonly circuits = new Map<string, Circuit>();

  constructor(private readonly policy: BreakerPolicy) {}

  async acquire(name: string, now: number): Promise<BreakerAdmission> {
    const circuit = this.circuits.get(name) ?? createCircuit(now);
    this.circuits.set(name, circuit);
    return acquireReservation(circuit, now, this.policy);
  }

  async report(
    name: string,
    reservation: string,
    outcome: CallOutcome,
    now: number,
  ): Promise<CircuitTransition | null> {
    const circuit = this.circuits.get(name);
    return circuit ? reportOutcome(circuit, reservation, outcome, now, this.policy) : null;
  }

  async read(name: string, now: number): ReturnType<CircuitBreaker['read']> {
    return readCircuit(this.circuits.get(name) ?? createCircuit(now), now, this.policy);
  }
}
