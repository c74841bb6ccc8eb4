import type { ExtractedItem } from '@annals/contracts';
import type { ConversationMessage } from '@annals/llm-core';

/** When a turn gets a second look (docs/reference/extraction.md#second-extraction-pass-for-long-messages). */
export interface MultiFactLimits {
  /** In characters; 0 switches the pass off. */
  readonly minLength: number;
}

/** So few memories of a long turn are taken for a miss. */
const MAX_MEMORIES_OF_MISSED_TURN = 1;
/**
 * Candidates that are looked at, and memories that are kept, of one turn
 * (docs/reference/extraction.md#second-extraction-pass-for-long-messages).
 */
const MAX_CANDIDATES = 5;
const MAX_WRITES = 3;

/** Turns of users that are long enough to tell several facts. */
export function findLongTurns(
  messages: readonly ConversationMessage[],
  { minLength }: MultiFactLimits,
): ConversationMessage[] {
  if (minLength === 0) return [];
  return messages.filter(({ role, content }) => role === 'user' && content.length > minLength);
}

/** Long turns of which an answer tells next to nothing. */
export function findMissedTurns(
  longTurns: readonly ConversationMessage[],
  items: readonly ExtractedItem[],
): ConversationMessage[] {
  return longTurns.filter(
    ({ id }) => items.filter((item) => citesMessage(item, id)).length <= MAX_MEMORIES_OF_MISSED_TURN,
  );
}

/** Of the candidates of each turn the surest and most important, as many as may be written, in the order they came. */
export function selectBestOfTurns(
  candidates: readonly ExtractedItem[],
  turns: readonly ConversationMessage[],
): ExtractedItem[] {
  const kept = new Set(
    turns.flatMap(({ id }) =>
      candidates
        .filter((item) => item.evidence[0]?.message_id === id)
        .slice(0, MAX_CANDIDATES)
        .filter(({ quarantineReason }) => quarantineReason === undefined)
        .toSorted((a, b) => b.importance - a.importance || (b.confidence ?? 0) - (a.confidence ?? 0))
        .slice(0, MAX_WRITES),
    ),
  );
  // Relations point into an answer that the others are not from.
  return candidates.filter((item) => kept.has(item)).map(({ relations: _relations, ...item }) => item);
}

function citesMessage({ evidence, quarantineReason }: ExtractedItem, messageId: string): boolean {
  return quarantineReason === undefined && evidence.some(({ message_id }) => message_id === messageId);
}
