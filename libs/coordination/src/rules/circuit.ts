import type {
  BreakerAdmission,
  BreakerPolicy,
  CallOutcome,
  CircuitState,
  CircuitStatus,
  CircuitTransition,
} from '../port/circuit-breaker.js';

/** Retry delay in half-open while all probes are in flight: any of them may end at any moment. */
export const HALF_OPEN_RECHECK_MS = 2_000;
/** A closed circuit drops a reservation without a report (its process died) after this time. */
export const RESERVATION_TTL_MS = 3_600_000;

interface CompletedAttempt {
  readonly at: number;
  readonly failed: boolean;
}

/**
 * A circuit as both implementations store it. The functions below are its state machine
 * (docs/reference/circuit-breaker.md#states-and-transitions).
 */
export interface Circuit {
  /** Distinguishes reservations of this circuit from those of an earlier one whose data were lost. */
  readonly createdAt: number;
  state: CircuitState;
  /** Openings so far; part of every reservation. */
  generation: number;
  /** Reservations issued so far. */
  sequence: number;
  openedAt: number;
  /** Oldest first. */
  window: CompletedAttempt[];
  /** Successful probes of this half-open. */
  successes: number;
  /** Probes in flight: reservation and end of its lease. */
  probes: Map<string, number>;
  /** Reservations of the closed state in flight, with the time when each was issued. */
  reservations: Map<string, number>;
}

export function createCircuit(now: number): Circuit {
  return {
    createdAt: now,
    state: 'closed',
    generation: 0,
    sequence: 0,
    openedAt: 0,
    window: [],
    successes: 0,
    probes: new Map(),
    reservations: new Map(),
  };
}

export function acquireReservation(circuit: Circuit, now: number, policy: BreakerPolicy): BreakerAdmission {
  const moved = applyElapsedTime(circuit, now, policy);
  const transition = moved && { transition: moved };
  const { state } = circuit;
  if (state === 'open') {
    return { admitted: false, state, retryAt: circuit.openedAt + policy.cooldownMs, ...transition };
  }
  if (state === 'half_open' && circuit.probes.size + circuit.successes >= policy.probesRequired) {
    return {
      admitted: false,
      state,
      retryAt: Math.min(now + HALF_OPEN_RECHECK_MS, ...circuit.probes.values()),
      ...transition,
    };
  }
  circuit.sequence += 1;
  const reservation = `${circuit.createdAt}-${circuit.generation}-${circuit.sequence}`;
  if (state === 'half_open') circuit.probes.set(reservation, now + policy.probeLeaseMs);
  else addReservation(circuit, reservation, now);
  return { admitted: true, reservation, state, ...transition };
}

export function reportOutcome(
  circuit: Circuit,
  reservation: string,
  outcome: CallOutcome,
  now: number,
  policy: BreakerPolicy,
): CircuitTransition | null {
  // Reports never move open to half-open: only a caller that acquires a reservation can be the probe.
  const expired = expireProbes(circuit, now, policy);
  if (expired) return expired;
  if (!circuit.probes.delete(reservation) && !circuit.reservations.delete(reservation)) return null;
  if (outcome === 'abandoned') return null;
  const failed = outcome === 'failure';
  circuit.window.push({ at: now, failed });
  trimWindow(circuit, now, policy);
  if (circuit.state === 'half_open') {
    if (failed) return open(circuit, now);
    circuit.successes += 1;
    return circuit.successes >= policy.probesRequired ? close(circuit) : null;
  }
  return failed && exceedsErrorThreshold(circuit, policy) ? open(circuit, now) : null;
}

/** The state that `acquireReservation` would find; changes only a copy. */
export function readCircuit(circuit: Circuit, now: number, policy: BreakerPolicy): CircuitStatus {
  const copy = { ...circuit, window: [...circuit.window], probes: new Map(circuit.probes), reservations: new Map() };
  const admission = acquireReservation(copy, now, policy);
  return {
    state: admission.state,
    failureRate: computeFailureRate(copy.window),
    retryAt: admission.admitted ? null : admission.retryAt,
  };
}

/** Failures / completed (docs/reference/circuit-breaker.md#failure-rate), 0 when nothing completed. */
function computeFailureRate(window: readonly CompletedAttempt[]): number {
  if (window.length === 0) return 0;
  return window.filter((attempt) => attempt.failed).length / window.length;
}

function applyElapsedTime(circuit: Circuit, now: number, policy: BreakerPolicy): CircuitTransition | undefined {
  trimWindow(circuit, now, policy);
  if (circuit.state !== 'open') return expireProbes(circuit, now, policy);
  if (now - circuit.openedAt < policy.cooldownMs) return undefined;
  circuit.successes = 0;
  return change(circuit, 'half_open');
}

/** An expired lease is a failed probe (docs/reference/circuit-breaker.md#probe-lease). */
function expireProbes(circuit: Circuit, now: number, policy: BreakerPolicy): CircuitTransition | undefined {
  if (![...circuit.probes.values()].some((leaseUntil) => leaseUntil <= now)) return undefined;
  circuit.window.push({ at: now, failed: true });
  trimWindow(circuit, now, policy);
  return open(circuit, now);
}

function trimWindow(circuit: Circuit, now: number, policy: BreakerPolicy): void {
  circuit.window = circuit.window.filter((attempt) => now - attempt.at <= policy.windowMs).slice(-policy.windowSize);
}

/** Evaluated after failures only: nothing else opens. */
function exceedsErrorThreshold(circuit: Circuit, policy: BreakerPolicy): boolean {
  return circuit.window.length >= policy.minAttempts && computeFailureRate(circuit.window) >= policy.errorThreshold;
}

function open(circuit: Circuit, now: number): CircuitTransition {
  circuit.openedAt = now;
  circuit.generation += 1;
  circuit.successes = 0;
  circuit.probes.clear();
  circuit.reservations.clear();
  return change(circuit, 'open');
}

/** Clears the window: failures from before the probes would open the circuit at the next single failure. */
function close(circuit: Circuit): CircuitTransition {
  const transition = change(circuit, 'closed');
  circuit.window = [];
  circuit.successes = 0;
  return transition;
}

function change(circuit: Circuit, circuitState: CircuitState): CircuitTransition {
  const previousState = circuit.state;
  circuit.state = circuitState;
  return { previousState, circuitState, failureRate: computeFailureRate(circuit.window) };
}

/** Checks two old reservations for each new one, so that reservations without a report do not accumulate. */
function addReservation(circuit: Circuit, reservation: string, now: number): void {
  const oldest = circuit.reservations.entries();
  for (let checked = 0; checked < 2; checked += 1) {
    const entry = oldest.next().value;
    if (entry && now - entry[1] > RESERVATION_TTL_MS) circuit.reservations.delete(entry[0]);
  }
  circuit.reservations.set(reservation, now);
}
