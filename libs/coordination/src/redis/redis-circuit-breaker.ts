import type {
  BreakerAdmission,
  BreakerPolicy,
  CallOutcome,
  CircuitBreaker,
  CircuitState,
  CircuitTransition,
} from '../port/circuit-breaker.js';
import { type Circuit, createCircuit, readCircuit } from '../rules/circuit.js';
import type { CoordinationClient, ScriptArgument, ScriptStep } from './coordination-client.js';

type TransitionReply = [CircuitState, CircuitState, number, number] | [];

/** For a fleet, on Redis: rules/circuit.ts as Lua scripts. Every process should have the same policy. */
export function createRedisCircuitBreaker(client: CoordinationClient, keyPrefix: string, policy: BreakerPolicy) {
  const { windowSize, windowMs, errorThreshold, minAttempts, cooldownMs, probesRequired, probeLeaseMs } = policy;
  const encodedPolicy = [windowSize, windowMs, errorThreshold, minAttempts, cooldownMs, probesRequired, probeLeaseMs];
  const toKey = (circuit: string) => `{${keyPrefix}}:circuit:${circuit}`;
  const steps = {
    acquire(circuit: string, now: number): ScriptStep<BreakerAdmission> {
      const encode = (): ScriptArgument[] => [now, ...encodedPolicy];
      return { name: 'circuitAcquire', keys: [toKey(circuit)], encode, decode: decodeAdmission };
    },
    report(
      circuit: string,
      reservation: string,
      outcome: CallOutcome,
      now: number,
    ): ScriptStep<CircuitTransition | undefined> {
      const encode = (): ScriptArgument[] => [now, ...encodedPolicy, reservation, outcome];
      return { name: 'circuitReport', keys: [toKey(circuit)], encode, decode: decodeTransition };
    },
  };
  const breaker: CircuitBreaker = {
    acquire: (circuit, now) => client.run(steps.acquire(circuit, now)),
    async report(circuit, reservation, outcome, now) {
      return (await client.run(steps.report(circuit, reservation, outcome, now))) ?? null;
    },
    async read(circuit, now) {
      const stored = await client.readHashField(toKey(circuit), 'circuit');
      return readCircuit(stored === null ? createCircuit(now) : decodeCircuit(stored), now, policy);
    },
  };
  return { ...breaker, steps };
}

function decodeAdmission(reply: unknown): BreakerAdmission {
  type Reply = [admitted: number, reservation: string, state: CircuitState, retryAt: number, moved: TransitionReply];
  const [admitted, reservation, state, retryAt, moved] = reply as Reply;
  const transition = decodeTransition(moved);
  const change = transition && { transition };
  return admitted === 1
    ? { admitted: true, reservation, state, ...change }
    : { admitted: false, retryAt, state, ...change };
}

function decodeTransition(reply: unknown): CircuitTransition | undefined {
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
