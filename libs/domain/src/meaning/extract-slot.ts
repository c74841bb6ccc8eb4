import { parseClause, type SlotExtractor } from './parse-clause.js';
import {
  extractAge,
  extractCount,
  extractDiet,
  extractMaritalStatus,
  extractPossession,
  extractWeight,
} from './slot-extractors/extract-attributes.js';
import { extractResidence } from './slot-extractors/extract-residence.js';
import { extractTaste } from './slot-extractors/extract-taste.js';
import { extractWork } from './slot-extractors/extract-work.js';
import type { Slot } from './slot.js';

export interface SlotInput {
  readonly content: string;
  readonly type: string;
}

/** In UTF-16 units. Longer statements usually contain more than one fact. */
const MAX_SLOT_STATEMENT_LENGTH = 160;

const SLOT_EXTRACTORS: readonly SlotExtractor[] = [
  extractResidence,
  extractWork,
  extractTaste,
  extractAge,
  extractWeight,
  extractMaritalStatus,
  extractDiet,
  extractCount,
  extractPossession,
];

/**
 * The slot that a statement fills; null if the statement can hold beside others. Tuned for precision: without a model
 * these rules alone decide that something has changed, so ambiguous statements have no slot: two sisters, a second job,
 * a visit, a plan, a name that two people may have. English only; other languages need a model.
 */
export function extractSlot({ content, type }: SlotInput): Slot | null {
  if (content.length > MAX_SLOT_STATEMENT_LENGTH || type === 'procedural' || type === 'insight') return null;
  const clause = parseClause(content);
  if (!clause) return null;
  for (const extract of SLOT_EXTRACTORS) {
    const slot = extract(clause);
    if (slot) return slot;
  }
  return null;
}
