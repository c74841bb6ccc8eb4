export { findJsonMember } from './find-json-member.js';
export { type DeltaChainStatistics, MAX_DELTAS, MIN_DELTA_BYTES, shouldStoreSnapshot } from './snapshots.js';
