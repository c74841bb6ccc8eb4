import { type DeltaChainStatistics, shouldStoreSnapshot } from '@annals/domain';
import { diffStates } from '@annals/state-delta';

/** The next state as a packed delta to the one before, or null when it should be stored in full. */
export function planDelta(
  since: DeltaChainStatistics,
  old: Buffer,
  state: Buffer,
  pack: (delta: Buffer) => Buffer,
): Buffer | null {
  const delta = diffStates(old, state);
  // With half of it new, the compressed full state is hardly longer.
  if (delta.length > state.length / 2) return null;
  const body = pack(delta);
  return shouldStoreSnapshot(since, body.length) ? null : body;
}
