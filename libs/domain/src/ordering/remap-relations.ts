import type { ExtractedItem } from '@annals/contracts';

type Relation = NonNullable<ExtractedItem['relations']>[number];

/**
 * Remaps relations to the new indexes of their targets. `newIndexes[i]` is the new index of the item that was at index
 * `i`, undefined for one that is left out. Drops relations without a target, to their own item, and duplicates (the strongest is retained).
 */
export function remapRelations<Item extends { relations?: readonly Relation[] | undefined }>(
  items: readonly Item[],
  newIndexes: readonly (number | undefined)[],
): Item[] {
  return items.map((item, index) => {
    if (!item.relations) return item;
    const strongest = new Map<string, Relation>();
    for (const relation of item.relations) {
      const target = newIndexes[relation.to_index];
      if (target === undefined || target === index) continue;
      const key = `${target} ${relation.relation_type}`;
      if (relation.strength > (strongest.get(key)?.strength ?? -1))
        strongest.set(key, { ...relation, to_index: target });
    }
    return { ...item, relations: [...strongest.values()].toSorted(compareRelations) };
  });
}

function compareRelations(a: Relation, b: Relation): number {
  return a.to_index - b.to_index || (a.relation_type < b.relation_type ? -1 : 1);
}
