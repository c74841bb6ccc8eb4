import { readAge, readCount, readDiet, readMarital, readPossession, readWeight } from './readers/read-attributes.js';
import { readResidence } from './readers/read-residence.js';
import { readTaste } from './readers/read-taste.js';
import { readWork } from './readers/read-work.js';
import type { SlotReader } from './readers/slot-reader.js';
import { readClause } from './read-subject.js';
import type { Slot } from './slot.js';

/** What is read of a statement. */
export interface SlotInput {
  readonly content: string;
  readonly type: string;
}

/** Longer statements say more than one thing. */
const MOST_CHARACTERS = 160;

const READERS: readonly SlotReader[] = [
  readResidence,
  readWork,
  readTaste,
  readAge,
  readWeight,
  readMarital,
  readDiet,
  readCount,
  readPossession,
];

/**
 * The slot that a statement fills; null for all that can hold beside others. Made for precision: without a model these
 * rules alone decide that something has changed, so whatever leaves a doubt is no slot: two sisters, a second job,
 * a visit, a plan, a name that two people may have. English only; other languages wait for a model.
 */
export function readSlot({ content, type }: SlotInput): Slot | null {
  if (content.length > MOST_CHARACTERS || type === 'procedural' || type === 'insight') return null;
  const clause = readClause(content);
  if (!clause) return null;
  for (const read of READERS) {
    const slot = read(clause);
    if (slot) return slot;
  }
  return null;
}
