export { findBand, type Band, type MergeBands } from './bands.js';
export { readSlot, type Slot, type SlotInput } from './read-slot.js';
