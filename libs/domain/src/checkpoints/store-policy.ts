/** What a thread has stored since its last whole state. */
export interface DeltaChainStatistics {
  readonly versions: number;
  readonly wholeBytes: number;
  readonly deltaBytes: number;
}

/** Most versions that are put together to read one. */
const MAX_DELTAS = 64;
/** Rows have a size of their own: below that another whole state saves nothing. */
const MIN_DELTA_BYTES = 4_096;

/**
 * Whether the next version is to be stored whole: when its delta would make reading cost more than twice the whole state.
 * So whole states come at sizes that grow by a constant factor, and together are a small multiple of the last.
 */
export function shouldStoreSnapshot(
  { versions, wholeBytes, deltaBytes }: DeltaChainStatistics,
  nextDeltaBytes: number,
): boolean {
  if (versions >= MAX_DELTAS) return true;
  return deltaBytes + nextDeltaBytes > Math.max(wholeBytes, MIN_DELTA_BYTES);
}
