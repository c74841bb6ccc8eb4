export { analyzeQuery } from './analyze-query.js';
export { analyzeMemory, analyzeTurns } from './analyze-unit.js';
export type { IndexedMemory } from './analyze-unit.js';
export { encodeEntries } from './posting-entries.js';
export { scoreUnits } from './score-units.js';
export { ANALYZER_VERSION } from './types.js';
export type {
  CollectionStatistics,
  IndexedTurn,
  PostingEntry,
  PostingList,
  QueryTerm,
  ScoredUnit,
  UnitScores,
  UnitSearch,
  UnitTerms,
} from './types.js';
