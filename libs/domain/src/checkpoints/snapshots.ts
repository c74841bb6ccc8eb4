/** What a thread has stored since its last snapshot. */
export interface DeltaChainStatistics {
  readonly versions: number;
  readonly wholeBytes: number;
  readonly deltaBytes: number;
}

/** Maximum number of deltas that are applied to read one version. */
export const MAX_DELTAS = 64;
/** Rows have an overhead: below this size another snapshot saves nothing. */
export const MIN_DELTA_BYTES = 4_096;

/** Whether the delta would make a read cost more than twice the snapshot. So snapshots grow by a constant factor. */
export function shouldStoreSnapshot(
  { versions, wholeBytes, deltaBytes }: DeltaChainStatistics,
  nextDeltaBytes: number,
): boolean {
  if (versions >= MAX_DELTAS) return true;
  return deltaBytes + nextDeltaBytes > Math.max(wholeBytes, MIN_DELTA_BYTES);
}
