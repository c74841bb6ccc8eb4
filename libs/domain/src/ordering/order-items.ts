import type { ExtractedItem } from '@annals/contracts';
import { compareCodePoints, encodeCanonicalJson, type JsonValue } from '../encoding/index.js';
import { normalizeContent } from '../hash/index.js';
import { pointRelationsTo } from './point-relations-to.js';

interface Ranked {
  readonly item: ExtractedItem;
  readonly oldPlace: number;
  readonly appearance: number;
  readonly normalized: string;
}

/**
 * The one order of a batch's memories (LLM "Deterministic Memory Ordering"): by the place of the earliest cited message
 * in the conversation, then by normalised content compared by code point. Items alike in both are told apart by their
 * other fields, so the result never depends on the order of `items`. Items that cite no known message come last.
 * `relations` are pointed to the new places.
 */
export function orderItems(items: readonly ExtractedItem[], messageIds: readonly string[]): ExtractedItem[] {
  const placeOfMessage = new Map(messageIds.map((id, place) => [id, place]));
  const ranked = items
    .map((item, oldPlace) => rank(item, oldPlace, placeOfMessage))
    .toSorted(
      (a, b) => a.appearance - b.appearance || compareCodePoints(a.normalized, b.normalized) || compareRest(a, b),
    );
  const newPlaces: number[] = [];
  for (const [place, { oldPlace }] of ranked.entries()) newPlaces[oldPlace] = place;
  return pointRelationsTo(
    ranked.map(({ item }) => item),
    newPlaces,
  );
}

function rank(item: ExtractedItem, oldPlace: number, placeOfMessage: ReadonlyMap<string, number>): Ranked {
  const places = item.evidence.map(({ message_id }) => placeOfMessage.get(message_id) ?? Number.MAX_SAFE_INTEGER);
  const appearance = Math.min(Number.MAX_SAFE_INTEGER, ...places);
  return { item, oldPlace, appearance, normalized: normalizeContent(item.content) };
}

// Relations hold places of the old order and so cannot tell items apart.
function compareRest(a: Ranked, b: Ranked): number {
  return compareCodePoints(encodeWithoutRelations(a.item), encodeWithoutRelations(b.item));
}

function encodeWithoutRelations(item: ExtractedItem): string {
  return encodeCanonicalJson({ ...item, relations: undefined } as { readonly [key: string]: JsonValue | undefined });
}
