import type { ExtractedItem } from '@annals/contracts';
import { hashContent } from '@annals/domain';
import { filterItems } from '../arrange-items.js';

/** Candidates of the second pass that are considered per turn. */
const MAX_CANDIDATES = 5;
/** Memories per turn with a second pass, of both passes together. */
export const MAX_WRITES = 3;

/** A second pass, before its candidates have been through the writing constraints. */
export interface SecondPass {
  /** The ids of its messages. */
  readonly turnIds: readonly string[];
  /** Memories of these messages before it. */
  readonly before: number;
  readonly candidates: number;
  /** Candidates that were not considered. */
  readonly ignored: readonly ExtractedItem[];
  /** Why it was skipped or failed, or null. */
  readonly skippedReason: string | null;
}

/** Result of the second pass: numbers, hashes and a reason code, no content. */
export interface MultiFactReport {
  readonly turns: number;
  readonly candidates: number;
  /** By how many memories of its messages there are more. */
  readonly added: number;
  /** Content hashes of the memories, of both passes, beyond the limits of a turn. */
  readonly dropped: readonly string[];
  readonly skippedReason: string | null;
}

/** The best candidates of each turn, in their order, and the others. Without candidates of no turn. */
export function selectCandidates(candidates: readonly ExtractedItem[], turnIds: readonly string[]) {
  const ofTurns = candidates.filter((item) => turnIds.some((id) => isMemoryOf(item, id)));
  const excess = findExcess(ofTurns, turnIds, MAX_CANDIDATES);
  // Their relations are indexes into the answer of the second pass, so they do not apply to a merged list.
  const selected = ofTurns.filter((item) => !excess.has(item)).map(({ relations: _relations, ...item }) => item);
  return { selected, ignored: [...excess] };
}

/**
 * Retains the most important, then most confident memories of each turn that had a second pass, whichever pass found
 * them. Other turns, and what is quarantined, are not limited. `items` are those of both passes, arranged.
 */
export function limitTurns(
  items: readonly ExtractedItem[],
  pass: SecondPass | null,
): { readonly items: readonly ExtractedItem[]; readonly report: MultiFactReport | null } {
  if (!pass) return { items, report: null };
  const { turnIds, before, candidates, ignored, skippedReason } = pass;
  const excess = findExcess(items, turnIds, MAX_WRITES);
  const kept = filterItems(items, (item) => !excess.has(item));
  return {
    items: kept,
    report: {
      turns: turnIds.length,
      candidates,
      added: Math.max(0, countMemoriesOf(kept, turnIds) - before),
      dropped: [...ignored, ...excess].map(({ content }) => hashContent(content)),
      skippedReason,
    },
  };
}

/** The memories that cite at least one of the messages. */
export function countMemoriesOf(items: readonly ExtractedItem[], messageIds: readonly string[]): number {
  return items.filter((item) => messageIds.some((id) => isMemoryOf(item, id))).length;
}

/** Whether a memory that is served cites the message. */
export function isMemoryOf({ quarantineReason, evidence }: ExtractedItem, messageId: string): boolean {
  return quarantineReason === undefined && evidence.some(({ message_id }) => message_id === messageId);
}

/** The least important, then least confident memories of each turn beyond a number; of equal ones the last. */
function findExcess(
  items: readonly ExtractedItem[],
  turnIds: readonly string[],
  limit: number,
): ReadonlySet<ExtractedItem> {
  const excess = new Set<ExtractedItem>();
  for (const id of turnIds) {
    const ranked = items
      .filter((item) => isMemoryOf(item, id) && !excess.has(item))
      .toSorted((a, b) => b.importance - a.importance || (b.confidence ?? 0) - (a.confidence ?? 0));
    for (const item of ranked.slice(limit)) excess.add(item);
  }
  return excess;
}
