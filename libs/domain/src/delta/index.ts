export { foldChanges } from './fold-changes.js';
export { renderHeader } from './render-header.js';
export type { HeaderInput } from './render-header.js';
export type { CategoryView, NetChange, ThreadChange } from './types.js';
export { isInView, viewChanges } from './view-changes.js';
