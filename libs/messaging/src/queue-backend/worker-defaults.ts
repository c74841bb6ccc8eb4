/** Default timeout of one queue operation, in ms. */
export const DEFAULT_OPERATION_TIMEOUT_MS = 5_000;

/** Settings of every worker that do not depend on its queue. */
export const workerDefaults = {
  // BullMQ waits 15 s after a failed fetch; a restarted server is back within a second.
  runRetryDelay: 1_000,
} as const;
