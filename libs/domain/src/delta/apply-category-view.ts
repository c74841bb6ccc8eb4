import type { CategoryView, ThreadChange } from './types.js';

function isInView(category: string, { categories, exceptCategories }: CategoryView): boolean {
  return (categories === null || categories.includes(category)) && !exceptCategories.includes(category);
}

/**
 * Changes as a caller sees them (docs/reference/delta-header.md#the-view-of-the-caller): changes outside its categories
 * are left out, a memory that leaves them is deleted, and one that enters them is created.
 */
export function applyCategoryView(changes: readonly ThreadChange[], view: CategoryView): ThreadChange[] {
  return changes.flatMap((change) => {
    const { category, formerCategory } = change;
    const wasSeen = formerCategory !== null && isInView(formerCategory, view);
    if (!isInView(category, view)) {
      return wasSeen ? [{ ...change, event: 'deleted', category: formerCategory, content: null }] : [];
    }
    return [formerCategory === null || wasSeen ? change : { ...change, event: 'created' }];
  });
}
