export {
  loadAnswerSources,
  searchMemories,
  type MemorySearch,
  type MemorySearchResult,
  type SearchCandidate,
} from './search-memories.js';
