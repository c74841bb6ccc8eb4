export { findJsonMember } from './find-json-member.js';
export {
  type DeltaChainStatistics,
  MAX_DELTAS,
  MIN_DELTA_BYTES,
  packBody,
  shouldStoreSnapshot,
  unpackBody,
} from './stored-body.js';
