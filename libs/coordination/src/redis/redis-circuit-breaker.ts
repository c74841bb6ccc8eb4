import type {
  BreakerAdmission,
  BreakerPolicy,
  CallOutcome,
  CircuitBreaker,
  CircuitState,
  CircuitStatus,
  CircuitTransition,
} from '../port/circuit-breaker.js';
import { createCircuit, readCircuit, type Circuit } from '../rules/circuit.js';
import type { CoordinationClient, ScriptArgument, ScriptStep } from './coordination-client.js';

type TransitionReply = [CircuitState, CircuitState, number, number] | [];

/** For a fleet, on Redis: rules/circuit.ts as Lua scripts. Every process should have the same policy. */
export class RedisCircuitBreaker implements CircuitBreaker {
  constructor(
    private readonly client: CoordinationClient,
    private readonly keyPrefix: string,
    private readonly policy: BreakerPolicy,
  ) {}

  async acquire(circuit: string, now: number): Promise<BreakerAdmission> {
    return decodeBreakerAdmission(await this.client.run(this.toAcquireStep(circuit, now)));
  }

  async report(
    circuit: string,
    reservation: string,
    outcome: CallOutcome,
    now: number,
  ): Promise<CircuitTransition | null> {
    return decodeTransition(await this.client.run(this.toReportStep(circuit, reservation, outcome, now))) ?? null;
  }

  async read(circuit: string, now: number): Promise<CircuitStatus> {
    const stored = await this.client.readHashField(this.key(circuit), 'circuit');
    return readCircuit(stored === null ? createCircuit(now) : decodeCircuit(stored), now, this.policy);
  }

  toAcquireStep(circuit: string, now: number): ScriptStep {
    return { name: 'circuitAcquire', keys: [this.key(circuit)], encode: () => this.argumentsAt(now) };
  }

  toReportStep(circuit: string, reservation: string, outcome: CallOutcome, now: number): ScriptStep {
    const encode = (): ScriptArgument[] => [...this.argumentsAt(now), reservation, outcome];
    return { name: 'circuitReport', keys: [this.key(circuit)], encode };
  }

  private key(circuit: string): string {
    return `{${this.keyPrefix}}:circuit:${circuit}`;
  }

  private argumentsAt(now: number): ScriptArgument[] {
    const { windowSize, windowMs, errorThreshold, minAttempts, cooldownMs, probesRequired, probeLeaseMs } = this.policy;
    return [now, windowSize, windowMs, errorThreshold, minAttempts, cooldownMs, probesRequired, probeLeaseMs];
  }
}

export function decodeBreakerAdmission(reply: unknown): BreakerAdmission {
  type Reply = [admitted: number, reservation: string, state: CircuitState, retryAt: number, moved: TransitionReply];
  const [admitted, reservation, state, retryAt, moved] = reply as Reply;
  const transition = decodeTransition(moved);
  const change = transition && { transition };
  return admitted === 1
    ? { admitted: true, reservation, state, ...change }
    : { admitted: false, retryAt, state, ...change };
}

export function decodeTransition(reply: unknown): CircuitTransition | undefined {
  const [previousState, circuitState, failures, completed] = reply as TransitionReply;
  if (!previousState || !circuitState) return undefined;
  return { previousState, circuitState, failureRate: completed ? (failures ?? 0) / completed : 0 };
}

interface StoredCircuit extends Omit<Circuit, 'window' | 'probes' | 'reservations'> {
  readonly window: readonly [at: number, failed: number][];
  readonly probes: readonly [reservation: string, leaseUntil: number][];
}

function decodeCircuit(text: string): Circuit {
  const stored = JSON.parse(text) as StoredCircuit;
  return {
    ...stored,
    window: listOf(stored.window).map(([at, failed]) => ({ at, failed: failed === 1 })),
    probes: new Map(listOf(stored.probes)),
    reservations: new Map(),
  };
}

/** Lua writes an empty table as `{}`. */
function listOf<T>(value: readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [];
}
