export { packBody, packSized, packSmall, unpackBody } from './body.js';
export { checkDelta, MAX_DELTA_RUNS } from './check-delta.js';
export { applyDeltas, diffStates } from './state-delta.js';
