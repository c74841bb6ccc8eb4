export { DEFAULT_CATEGORY_CONFIG, DEFAULT_RAG_LENGTH, listCategoryNames } from './default-categories.js';
export type { CategoryConfig, CategoryContext, CategoryDefinition } from './default-categories.js';
export { listExtractableCategories } from './list-extractable-categories.js';
export { parseCategories } from './parse-categories.js';
export type { CategoryProblem, ParsedCategories } from './parse-categories.js';
export { listOnRequestCategories, resolveAllowedCategories } from './resolve-allowed-categories.js';
export type { CategoryRequest, CategoryResolution } from './resolve-allowed-categories.js';
