export { decideDuplicate } from './decide-duplicate.js';
export type { DuplicateDecision } from './decide-duplicate.js';
export { mergeEqualItems } from './merge-equal-items.js';
export type { MergeableInput, MergedContext, Significance } from './merge-fields.js';
