import { findBand, type MergeBands } from './bands.js';
import { hasSameFacts, isReordered, isRewording } from './is-rewording.js';
import { extractSlot, type SlotInput } from './extract-slot.js';

/**
 * How a new statement relates to a neighbouring memory. `same`: it has the same meaning. `undecided`: a model must
 * decide. `related`: both hold, and a relation is stored. `apart`: the similarity has no consequence.
 */
export type PairClassification = 'same' | 'undecided' | 'related' | 'apart';

/**
 * Classifies a pair by its similarity (docs/reference/reconciliation.md#similarity-bands), the words that carry its
 * facts, and its slots. Without a model, statements only count as the same if their numbers, names and negations agree
 * in any band, and below `auto` their words as well: only a model can compare different words. Contradictions in one
 * slot are resolved by time and need no model.
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
