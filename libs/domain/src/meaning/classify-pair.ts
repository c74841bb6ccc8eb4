import { findBand, type MergeBands } from './bands.js';
import { hasSameFacts, isReordered, isRewording } from './is-rewording.js';
import { extractSlot, type SlotInput } from './extract-slot.js';

/**
 * How a new statement stands to a memory near it. `same`: it says the same in other words. `undecided`: only a model can tell.
 * `related`: both hold, and belong together. `apart`: nothing follows from their being near.
 */
export type PairClassification = 'same' | 'undecided' | 'related' | 'apart';

/**
 * Judges a pair by its similarity (docs/reference/reconciliation.md#similarity-bands), the words that carry its facts,
 * and its slots. What is taken for the same without a model has the same numbers, names and negations in any band, and
 * below `auto` the same words too: what words that differ mean is a model's to say. Contradictions in one slot are for
 * time to decide, and need no model.
 */
export function classifyPair(
  statement: SlotInput,
  memory: SlotInput,
  cosine: number,
  bands: MergeBands,
): PairClassification {
  const band = findBand(cosine, bands);
  if (band === null) return 'apart';
  if (band === 'link') return 'related';
  const isOfSameKind = statement.type === memory.type;
  if (isOfSameKind && isRewording(statement.content, memory.content)) return 'same';
  if (isOneSlot(statement, memory)) return 'apart';
  if (band === 'fallback') return 'related';
  const isSame =
    band === 'auto' &&
    isOfSameKind &&
    hasSameFacts(statement.content, memory.content) &&
    !isReordered(statement.content, memory.content);
  return isSame ? 'same' : 'undecided';
}

function isOneSlot(a: SlotInput, b: SlotInput): boolean {
  const slot = extractSlot(a);
  return slot !== null && slot.key === extractSlot(b)?.key;
}
