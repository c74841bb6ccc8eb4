import type { ExtractedItem } from '@annals/contracts';
import type { ConversationMessage } from '@annals/llm-core';

/** Limits of the second pass (docs/reference/extraction.md#second-extraction-pass-for-long-messages). */
export interface MultiFactLimits {
  /** In characters; 0 disables the second pass. */
  readonly minLength: number;
}

/** A long turn with at most this many memories gets a second pass. */
const MAX_MEMORIES_OF_MISSED_TURN = 1;
/**
 * Candidates that are considered, and memories that are written, per turn
 * (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
 */
const MAX_CANDIDATES = 5;
const MAX_WRITES = 3;

/** Turns of users that are long enough to contain several facts. */
export function findLongTurns(
  messages: readonly ConversationMessage[],
  { minLength }: MultiFactLimits,
): ConversationMessage[] {
  if (minLength === 0) return [];
  return messages.filter(({ role, content }) => role === 'user' && content.length > minLength);
}

/** Long turns from which at most one memory was extracted. */
export function findMissedTurns(
  longTurns: readonly ConversationMessage[],
  items: readonly ExtractedItem[],
): ConversationMessage[] {
  return longTurns.filter(
    ({ id }) => items.filter((item) => citesMessage(item, id)).length <= MAX_MEMORIES_OF_MISSED_TURN,
  );
}

/** The most important, then most confident candidates of each turn, up to the limit, in the order of the answer. */
export function selectBestOfTurns(
  candidates: readonly ExtractedItem[],
  turns: readonly ConversationMessage[],
): ExtractedItem[] {
  const selected = new Set(
    turns.flatMap(({ id }) =>
      candidates
        .filter((item) => item.evidence[0]?.message_id === id)
        .slice(0, MAX_CANDIDATES)
        .filter(({ quarantineReason }) => quarantineReason === undefined)
        .toSorted((a, b) => b.importance - a.importance || (b.confidence ?? 0) - (a.confidence ?? 0))
        .slice(0, MAX_WRITES),
    ),
  );
  // Their relations are indexes into the answer of the second pass, so they do not apply to the merged list.
  return candidates.filter((item) => selected.has(item)).map(({ relations: _relations, ...item }) => item);
}

function citesMessage({ evidence, quarantineReason }: ExtractedItem, messageId: string): boolean {
  return quarantineReason === undefined && evidence.some(({ message_id }) => message_id === messageId);
}
