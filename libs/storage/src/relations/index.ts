export { findLinked, type LinkedMemory } from './find-linked.js';
export { listRelated, type RelatedQuery } from './list-related.js';
