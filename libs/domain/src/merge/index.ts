export { decideDuplicate } from './decide-duplicate.js';
export type { DuplicateDecision } from './decide-duplicate.js';
export { foldEqualItems } from './fold-equal-items.js';
export type { MergeableInput, MergedContext, Significance } from './merge-fields.js';
