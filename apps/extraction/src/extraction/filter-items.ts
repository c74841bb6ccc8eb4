import type { ExtractedItem } from '@annals/contracts';
import { remapRelations } from '@annals/domain';

/** The items for which `shouldKeep` is true, in their order, with relations mapped to their new indexes. */
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
