import type { ExtractedItem } from '@annals/contracts';
import { pointRelationsTo } from '@annals/domain';

/** The items that are kept, in their order, with relations pointed to their new places. */
export function keepItems(
  items: readonly ExtractedItem[],
  isKept: (item: ExtractedItem, place: number) => boolean,
): ExtractedItem[] {
  const newPlaces: number[] = [];
  const kept: ExtractedItem[] = [];
  for (const [place, item] of items.entries()) {
    if (!isKept(item, place)) continue;
    newPlaces[place] = kept.length;
    kept.push(item);
  }
  return pointRelationsTo(kept, newPlaces);
}
