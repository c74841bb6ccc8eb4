import type { ChangeEvent } from '@annals/contracts';

/** One row of a thread's change_log: the fields that the header needs. */
export interface ThreadChange {
  readonly revision: number;
  /** Position among the changes of one revision. */
  readonly n: number;
  readonly event: ChangeEvent;
  readonly memoryId: string;
  /** The category after the change; `formerCategory` is the one before, if the change was a change of category. */
  readonly category: string;
  readonly formerCategory: string | null;
  readonly importance: number | null;
  readonly replaces: string | null;
  readonly mergedInto: string | null;
  /** The memory's content; null when it was deleted or the caller may not read it. */
  readonly content: string | null;
}

/** The categories that a caller sees: null for all, minus `exceptCategories`. */
export interface CategoryView {
  readonly categories: readonly string[] | null;
  readonly exceptCategories: readonly string[];
}

/** The net effect of several changes of one memory, for a caller whose revision is older than all of them. */
export interface NetChange extends Pick<
  ThreadChange,
  'event' | 'memoryId' | 'category' | 'importance' | 'content' | 'revision' | 'n'
> {
  /** Number of memories that were merged into this one, itself included. */
  readonly merged: number;
}

function isInView(category: string, { categories, exceptCategories }: CategoryView): boolean {
  return (categories === null || categories.includes(category)) && !exceptCategories.includes(category);
}

/**
 * For a caller a memory that leaves its categories is deleted (docs/reference/delta-header.md#the-view-of-the-caller).
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
