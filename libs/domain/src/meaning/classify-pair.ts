import { extractSlot, type SlotInput } from './extract-slot.js';
import { isContradiction } from './slot.js';
import { hasSameFacts, isReordered, isRewording } from './is-rewording.js';

/**
 * Cosines of one embedding model (docs/reference/reconciliation.md#similarity-bands): at or above `auto` two statements
 * are the same, from `check` a model decides, from `fallback` lexical overlap, from `link` they are related.
 */
export interface MergeBands {
  readonly auto: number;
  readonly check: number;
  readonly fallback: number;
  readonly link: number;
}

type Band = 'auto' | 'check' | 'fallback' | 'link';

/** The band of a cosine; null below all of them. */
function findBand(cosine: number, bands: MergeBands): Band | null {
  if (cosine >= bands.auto) return 'auto';
  if (cosine >= bands.check) return 'check';
  if (cosine >= bands.fallback) return 'fallback';
  return cosine >= bands.link ? 'link' : null;
}

/**
 * How a new statement relates to a neighbouring memory. `same`: it has the same meaning. `undecided`: a model must
 * decide. `related`: both hold, and a relation is stored. `apart`: the similarity has no consequence.
 */
export type PairClassification = 'same' | 'undecided' | 'related' | 'apart';

/**
 * By similarity (docs/reference/reconciliation.md#similarity-bands), the words that carry facts, and slots. Without a
 * model, statements are the same only if numbers, names and negations agree, and below `auto` their words as well.
 * Contradictions in one slot are resolved by time and need no model.
 */
export function classifyPair(
  statement: SlotInput,
  memory: SlotInput,
  cosine: number,
  bands: MergeBands,
): PairClassification {
  const band = findBand(cosine, bands);
  if (band === null) return 'apart';
  const isOfSameKind = statement.type === memory.type;
  // Steps are no facts: a procedure neither ends nor accompanies what is known of the user, and versions have a slot.
  if ([statement.type, memory.type].includes('procedural')) {
    return isOfSameKind && isRewording(statement.content, memory.content) ? 'same' : 'apart';
  }
  if (band === 'link') return 'related';
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

/** Whether rules decide about both: they are about one attribute with one value at a time, or one is the end of the other. */
function isOneSlot(a: SlotInput, b: SlotInput): boolean {
  const [first, second] = [extractSlot(a), extractSlot(b)];
  if (first === null || second === null || first.key !== second.key) return false;
  const isExclusive = first.mode === undefined && second.mode === undefined && first.frame === second.frame;
  return isExclusive || isContradiction(first, second) || isContradiction(second, first);
}
