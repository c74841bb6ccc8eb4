import type { ExtractedItem } from '@annals/contracts';
import { type CategoryConfig, listCategoryNames } from '@annals/domain';
import { filterItems } from './filter-items.js';

/** Where else rules may file what their own category is missing for, the nearest first. Steps are nothing else. */
const NEAREST: Readonly<Record<string, readonly string[]>> = {
  profile: ['history', 'knowledge', 'interests'],
  preferences: ['interests', 'style', 'profile'],
  relationships: ['profile', 'history'],
  goals: ['projects', 'tasks', 'interests'],
  tasks: ['goals', 'projects', 'event'],
  projects: ['goals', 'tasks', 'interests'],
  event: ['history', 'activity', 'profile'],
  activity: ['event', 'history', 'interests'],
  interests: ['preferences', 'profile'],
  knowledge: ['profile', 'interests', 'history'],
  history: ['event', 'profile'],
  constraints: ['preferences', 'profile'],
};

/** What became of memories whose category is not configured. */
export interface CategoryAssignmentReport {
  /** Put into the nearest category that is. */
  readonly moved: number;
  /** Left out because there is none: how many of each category. */
  readonly dropped: Readonly<Record<string, number>>;
}

export interface CategoryAssignment {
  readonly items: readonly ExtractedItem[];
  /** Null when every category was there. */
  readonly report: CategoryAssignmentReport | null;
}

/**
 * Keeps rules, which know the shipped categories alone, from writing into one that the configuration does not define.
 * `isOfRules` says whose work an item is; a model was told what it may choose.
 */
export function assignCategories(
  items: readonly ExtractedItem[],
  config: CategoryConfig,
  isOfRules: (item: ExtractedItem) => boolean,
): CategoryAssignment {
  const defined = new Set(listCategoryNames(config));
  const assigned = items.map((item) => {
    const { category } = item;
    if (defined.has(category) || !isOfRules(item)) return category;
    return NEAREST[category]?.find((name) => defined.has(name)) ?? null;
  });
  const moved = items.filter(({ category }, index) => assigned[index] !== null && assigned[index] !== category).length;
  const lost = items.filter((_, index) => assigned[index] === null);
  if (moved === 0 && lost.length === 0) return { items, report: null };
  const assignedItems = items.map((item, index) => ({ ...item, category: assigned[index] ?? item.category }));
  const dropped = Object.fromEntries(
    [...Map.groupBy(lost, ({ category }) => category)].map(([category, { length }]) => [category, length]),
  );
  return { items: filterItems(assignedItems, (_, index) => assigned[index] !== null), report: { moved, dropped } };
}
