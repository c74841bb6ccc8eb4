/** What a thread has stored since its last snapshot. */
export interface DeltaChainStatistics {
  readonly versions: number;
  readonly wholeBytes: number;
  readonly deltaBytes: number;
}

/** Maximum number of deltas that are applied to read one version. */
const MAX_DELTAS = 64;
/** Rows have an overhead: below this size another snapshot saves nothing. */
const MIN_DELTA_BYTES = 4_096;

/**
 * Whether to store the next version as a snapshot: when its delta would make a read cost more than twice the snapshot.
 * The sizes of snapshots therefore grow by a constant factor, and their sum is a small multiple of the last one.
 */
export function shouldStoreSnapshot(
  { versions, wholeBytes, deltaBytes }: DeltaChainStatistics,
  nextDeltaBytes: number,
): boolean {
  if (versions >= MAX_DELTAS) return true;
  return deltaBytes + nextDeltaBytes > Math.max(wholeBytes, MIN_DELTA_BYTES);
}
