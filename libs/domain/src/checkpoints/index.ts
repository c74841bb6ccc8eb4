export { composeState, diffStates } from './state-delta.js';
export { packBody, unpackBody } from './packed-body.js';
export { findMember } from './find-member.js';
export { shouldStoreWhole } from './store-policy.js';
export type { WholeAndDeltas } from './store-policy.js';
