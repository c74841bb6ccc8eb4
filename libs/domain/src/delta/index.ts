export { renderHeader } from './render-header.js';
export type { HeaderInput } from './render-header.js';
export type { CategoryView, NetChange, ThreadChange } from './types.js';
export { applyCategoryView } from './apply-category-view.js';
