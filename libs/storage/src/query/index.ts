export { findCandidates } from './find-candidates.js';
export { listCategoryMemories, type CategoryLimits } from './list-category-memories.js';
export { loadAnswerSources } from './load-answer-sources.js';
export type { CandidateSearchResult, RecallSearch, SourceRef } from './recall-search.js';
