export type { Band, MergeBands } from './bands.js';
export { classifyPair, type PairClassification } from './classify-pair.js';
export { parsePeriodEnd } from './parse-period-end.js';
export { extractSlot, type SlotInput } from './extract-slot.js';
export { isContradiction, type Slot } from './slot.js';
