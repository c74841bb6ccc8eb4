export { findCandidates } from './find-candidates.js';
export type { RecallFindings, RecallSearch } from './recall-search.js';
export {
  loadAnswerSources,
  searchMemories,
  type MemorySearch,
  type MemorySearchResult,
  type SearchCandidate,
} from './search-memories.js';
