export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
export type CircuitState = (typeof CIRCUIT_STATES)[number];

/** See docs/reference/circuit-breaker.md#failure-rate and docs/reference/circuit-breaker.md#half-open-probes. */
export interface BreakerPolicy {
  /** Completed attempts that count. */
  readonly windowSize: number;
  /** Attempts older than this leave the window, in ms. */
  readonly windowMs: number;
  /** Opens at failures / completed >= this. */
  readonly errorThreshold: number;
  /** Completed attempts below which the rate is not looked at. */
  readonly minAttempts: number;
  /** From opening to half-open, in ms. */
  readonly cooldownMs: number;
  /** Calls that half-open lets through fleet-wide, and successes after which it closes. */
  readonly probesRequired: number;
  /** A probe that reports nothing for so long has failed, in ms. */
  readonly probeLeaseMs: number;
}

export const DEFAULT_BREAKER_POLICY: BreakerPolicy = {
  windowSize: 20,
  windowMs: 60_000,
  errorThreshold: 0.5,
  minAttempts: 1,
  cooldownMs: 30_000,
  probesRequired: 1,
  probeLeaseMs: 90_000,
};

/** What exactly one caller is told about each change, so that it is logged once in the fleet. */
export interface CircuitTransition {
  readonly previousState: CircuitState;
  readonly circuitState: CircuitState;
  /** failures / completed in the window at the time of the change. */
  readonly failureRate: number;
}

export type BreakerAdmission =
  /** Report the call's end with `reservation`, whatever it was. */
  | {
      readonly admitted: true;
      readonly reservation: string;
      readonly state: CircuitState;
      readonly transition?: CircuitTransition;
    }
  /**
   * Ask again at `retryAt` (epoch ms). Open: nothing gets through before. Half-open: its probes are out and may end any
   * moment, so it is soon, and no later than the end of a lease.
   */
  | {
      readonly admitted: false;
      readonly retryAt: number;
      readonly state: CircuitState;
      readonly transition?: CircuitTransition;
    };

/**
 * `failure`: timeout and transient only. `success`: the provider answered, be it with an error that is not its own
 * weakness (a bad request is one tenant's). `abandoned`: the call was not sent or says nothing about the provider (a 429,
 * a shutdown); a probe's place is free again.
 */
export type CallOutcome = 'success' | 'failure' | 'abandoned';

/** One breaker per circuit (provider and model), shared by the fleet. `now` is epoch ms. */
export interface CircuitBreaker {
  acquire(circuit: string, now: number): Promise<BreakerAdmission>;
  /** Null when the state stays. A reservation that is unknown, of an earlier opening or reported before counts nothing. */
  report(circuit: string, reservation: string, outcome: CallOutcome, now: number): Promise<CircuitTransition | null>;
  /** As `acquire` would see it, without taking anything. */
  read(
    circuit: string,
    now: number,
  ): Promise<{ readonly state: CircuitState; readonly failureRate: number; readonly retryAt: number | null }>;
}
