import type { ExtractedItem } from '@annals/contracts';
import { mergeEqualItems, orderItems, remapRelations } from '@annals/domain';

/**
 * Puts items into an order that does not depend on the order of the answer
 * (docs/reference/extraction.md#deterministic-order-of-memories), and merges equal ones
 * (docs/reference/writes.md#equal-items-of-one-batch). `messages` are the batch's, in order. Idempotent.
 */
export function arrangeItems(
  items: readonly ExtractedItem[],
  messages: readonly { readonly id: string }[],
): ExtractedItem[] {
  const order = messages.map(({ id }) => id);
  return mergeEqualItems(orderItems(items, order));
}

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
