import { type CategoryConfig, type CategoryDefinition, DEFAULT_CATEGORY_CONFIG } from './default-categories.js';

/**
 * Categories that models never assign: `activity` contains the turns themselves, `recent_activity` and
 * `relationship_dynamic` are derived, a procedure is stored only on request (docs/reference/extraction.md#procedures).
 */
const NON_EXTRACTABLE_CATEGORIES: ReadonlySet<string> = new Set([
  'activity',
  'recent_activity',
  'relationship_dynamic',
  'procedural',
]);

/** The categories that a model may choose from when it extracts memories, in the order of the configuration. */
export function listExtractableCategories(config: CategoryConfig = DEFAULT_CATEGORY_CONFIG): CategoryDefinition[] {
  return config.categories.filter(({ name }) => !NON_EXTRACTABLE_CATEGORIES.has(name));
}
