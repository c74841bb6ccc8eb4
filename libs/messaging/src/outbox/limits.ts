export interface RelayLimits {
  /** Maximum rows of one round. */
  readonly batchSize: number;
  /** Rows in flight of one tenant and queue (docs/reference/queues.md#fair-release-per-tenant). */
  readonly perTenant: number;
  readonly leaseMs: number;
  /** Minimum time from one round to the next, so that a thousand kicks per second cost a hundred statements. */
  readonly roundGapMs: number;
  /** Time until the round that the end of background work asks for. */
  readonly laterKickMs: number;
  /** Maximum time between two rounds: rows of a process that died are found after it. */
  readonly idleMs: number;
  /** First and maximum delay after a failed round. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

export const DEFAULT_RELAY_LIMITS: RelayLimits = {
  batchSize: 200,
  perTenant: 32,
  // Rows of a killed relay wait this long. A round ends within the timeout of two queue operations.
  leaseMs: 10_000,
  roundGapMs: 10,
  laterKickMs: 250,
  idleMs: 1_000,
  firstRetryMs: 200,
  maxRetryMs: 5_000,
};

export interface SweepLimits {
  readonly sweepIntervalMs: number;
  /** A row is a suspect when it was released at least this long ago. */
  readonly sweepAfterMs: number;
  /** A suspect whose job exists is not checked again within this time. */
  readonly recheckAfterMs: number;
  readonly batchSize: number;
  /** Interval of the check whether the queue lost its data. */
  readonly epochCheckMs: number;
}

export const DEFAULT_SWEEP_LIMITS: SweepLimits = {
  sweepIntervalMs: 15_000,
  sweepAfterMs: 60_000,
  recheckAfterMs: 60_000,
  batchSize: 500,
  epochCheckMs: 2_000,
};
