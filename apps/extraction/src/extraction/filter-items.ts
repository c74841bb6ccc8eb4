import type { ExtractedItem } from '@annals/contracts';
import { remapRelations } from '@annals/domain';

/** The items that are kept, in their order, with relations pointed to their new places. */
export function filterItems(
  items: readonly ExtractedItem[],
  shouldKeep: (item: ExtractedItem, index: number) => boolean,
): ExtractedItem[] {
  const newIndexes: number[] = [];
  const kept: ExtractedItem[] = [];
  for (const [index, item] of items.entries()) {
    if (!shouldKeep(item, index)) continue;
    newIndexes[index] = kept.length;
    kept.push(item);
  }
  return remapRelations(kept, newIndexes);
}
