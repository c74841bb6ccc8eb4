export { checkDelta } from './check-delta.js';
export { applyDeltas, diffStates } from './state-delta.js';
