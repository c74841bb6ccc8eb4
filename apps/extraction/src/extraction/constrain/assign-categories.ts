import type { ExtractedItem } from '@annals/contracts';
import { type CategoryConfig, listCategoryNames } from '@annals/domain';
import { filterItems } from '../arrange-items.js';

/** Fallbacks for a category of the rules that is not configured, the nearest first. Procedures have none. */
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

/** What was done with memories whose category is not configured. */
export interface CategoryAssignmentReport {
  /** Memories that were moved to the nearest configured category. */
  readonly moved: number;
  /** Memories that were dropped because there is none, by category. */
  readonly dropped: Readonly<Record<string, number>>;
}

export interface CategoryAssignment {
  readonly items: readonly ExtractedItem[];
  /** Null when every category is configured. */
  readonly report: CategoryAssignmentReport | null;
}

/**
 * Moves or drops memories of the local rules whose category is not configured: the rules only know the shipped
 * categories. `isOfRules` selects these memories. Those of a model are not changed, since its prompt lists the
 * configured categories.
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
