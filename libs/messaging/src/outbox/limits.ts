export interface RelayLimits {
  /** Most rows of one round. */
  readonly batchSize: number;
  /**
   * Most rows of one tenant and queue that may be with the queue at the same time
   * (docs/reference/queues.md#fair-release-per-tenant).
   */
  readonly perTenant: number;
  readonly leaseMs: number;
  /** Shortest time from one round to the next, so that a thousand kicks a second cost a hundred statements. */
  readonly roundGapMs: number;
  /** Longest time without looking: rows of a process that died are found after it. */
  readonly idleMs: number;
  /** First and longest waiting time after a failed round. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

export const DEFAULT_RELAY_LIMITS: RelayLimits = {
  batchSize: 200,
  perTenant: 32,
  // Rows of a relay that was killed wait this long. A round ends within the timeout of two questions to the queue.
  leaseMs: 10_000,
  roundGapMs: 10,
  idleMs: 1_000,
  firstRetryMs: 200,
  maxRetryMs: 5_000,
};

export interface SweepLimits {
  readonly sweepIntervalMs: number;
  /** A row is a suspect when it was released so long ago. */
  readonly sweepAfterMs: number;
  /** A suspect whose job is fine is not looked at again for so long. */
  readonly recheckAfterMs: number;
  readonly batchSize: number;
  /** How often the queue is asked whether it lost its data. */
  readonly epochCheckMs: number;
}

export const DEFAULT_SWEEP_LIMITS: SweepLimits = {
  sweepIntervalMs: 15_000,
  sweepAfterMs: 60_000,
  recheckAfterMs: 60_000,
  batchSize: 500,
  epochCheckMs: 2_000,
};
