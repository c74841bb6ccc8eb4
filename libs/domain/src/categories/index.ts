export { DEFAULT_CATEGORY_CONFIG, listCategoryNames } from './default-categories.js';
export type { CategoryConfig, CategoryContext, CategoryDefinition } from './default-categories.js';
export { resolveAllowedCategories } from './resolve-allowed-categories.js';
export type { CategoryRequest, CategoryResolution } from './resolve-allowed-categories.js';
