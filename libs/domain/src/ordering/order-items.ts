import type { ExtractedItem } from '@annals/contracts';
import { normalizeContent } from '../hash/content-hash.js';
import { encodeCanonicalJson, type JsonValue } from '../text/canonical-json.js';
import { compareCodePoints } from '../text/unicode.js';
import { remapRelations } from './remap-relations.js';

interface RankedItem {
  readonly item: ExtractedItem;
  readonly oldIndex: number;
  readonly appearance: number;
  readonly normalized: string;
}

/**
 * Sorts by the earliest cited message, then by normalised content by code point, then by the other fields
 * (docs/reference/extraction.md#deterministic-order-of-memories); items that cite no known message come last. The order
 * of `items` does not matter. `relations` are remapped to the new indexes.
 */
export function orderItems(items: readonly ExtractedItem[], messageIds: readonly string[]): ExtractedItem[] {
  const indexOfMessage = new Map(messageIds.map((id, index) => [id, index]));
  const ranked = items
    .map((item, oldIndex) => rank(item, oldIndex, indexOfMessage))
    .toSorted(
      (a, b) => a.appearance - b.appearance || compareCodePoints(a.normalized, b.normalized) || compareRest(a, b),
    );
  const newIndexes: number[] = [];
  for (const [index, { oldIndex }] of ranked.entries()) newIndexes[oldIndex] = index;
  return remapRelations(
    ranked.map(({ item }) => item),
    newIndexes,
  );
}

function rank(item: ExtractedItem, oldIndex: number, indexOfMessage: ReadonlyMap<string, number>): RankedItem {
  const indexes = item.evidence.map(({ message_id }) => indexOfMessage.get(message_id) ?? Number.MAX_SAFE_INTEGER);
  const appearance = Math.min(Number.MAX_SAFE_INTEGER, ...indexes);
  return { item, oldIndex, appearance, normalized: normalizeContent(item.content) };
}

// Relations contain indexes of the old order, so they cannot break ties.
function compareRest(a: RankedItem, b: RankedItem): number {
  return compareCodePoints(encodeWithoutRelations(a.item), encodeWithoutRelations(b.item));
}

function encodeWithoutRelations(item: ExtractedItem): string {
  return encodeCanonicalJson({ ...item, relations: undefined } as { readonly [key: string]: JsonValue | undefined });
}
