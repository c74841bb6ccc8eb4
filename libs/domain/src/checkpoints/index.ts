export { applyDeltas, diffStates } from './state-delta.js';
export { packBody, unpackBody } from './packed-body.js';
export { findJsonMember } from './find-json-member.js';
export { shouldStoreSnapshot } from './store-policy.js';
export type { DeltaChainStatistics } from './store-policy.js';
