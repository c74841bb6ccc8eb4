export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
export type CircuitState = (typeof CIRCUIT_STATES)[number];

/** See docs/reference/circuit-breaker.md#failure-rate and docs/reference/circuit-breaker.md#half-open-probes. */
export interface BreakerPolicy {
  /** Number of completed attempts in the window. */
  readonly windowSize: number;
  /** Attempts older than this leave the window, in ms. */
  readonly windowMs: number;
  /** Opens at failures / completed >= this. */
  readonly errorThreshold: number;
  /** Completed attempts below which the failure rate is not evaluated. */
  readonly minAttempts: number;
  /** From opening to half-open, in ms. */
  readonly cooldownMs: number;
  /** Probes that half-open admits in the whole fleet, and successes after which it closes. */
  readonly probesRequired: number;
  /** A probe that reports no outcome within this time has failed, in ms. */
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

/** A state change. Returned to exactly one caller, so that it is logged once in the fleet. */
export interface CircuitTransition {
  readonly previousState: CircuitState;
  readonly circuitState: CircuitState;
  /** failures / completed in the window at the time of the change. */
  readonly failureRate: number;
}

export type BreakerAdmission = { readonly state: CircuitState; readonly transition?: CircuitTransition } & (
  | {
      readonly admitted: true;
      /** To report the outcome of the call with, whatever it is. */
      readonly reservation: string;
    }
  | {
      readonly admitted: false;
      /**
       * Epoch ms. Open: nothing is admitted before it. Half-open: all probes are in flight and may end at any moment,
       * so it is soon, and no later than the end of a probe lease.
       */
      readonly retryAt: number;
    }
);

/** The state that `acquire` would find. `retryAt` is epoch ms. */
export interface CircuitStatus {
  readonly state: CircuitState;
  readonly failureRate: number;
  readonly retryAt: number | null;
}

/**
 * `failure`: timeout and transient only. `success`: the provider responded, even with an error that says nothing
 * against its health (a bad request is a fault of one tenant). `abandoned`: the call was not sent or says nothing about
 * the provider (a 429, a shutdown); the probe reservation is free again.
 */
export type CallOutcome = 'success' | 'failure' | 'abandoned';

/** One breaker per circuit (provider and model), shared by the fleet. `now` is epoch ms. */
export interface CircuitBreaker {
  acquire(circuit: string, now: number): Promise<BreakerAdmission>;
  /** Null when the state does not change. An unknown, outdated or reported reservation is ignored. */
  report(circuit: string, reservation: string, outcome: CallOutcome, now: number): Promise<CircuitTransition | null>;
  /** Reserves nothing. */
  read(circuit: string, now: number): Promise<CircuitStatus>;
}
