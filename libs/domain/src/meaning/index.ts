export { findBand, type Band, type MergeBands } from './bands.js';
export { judgePair, type PairVerdict } from './judge-pair.js';
export { readPeriodEnd } from './read-period-end.js';
export { readSlot, type SlotInput } from './read-slot.js';
export { isContradiction, type Slot } from './slot.js';
