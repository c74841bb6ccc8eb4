export { findCandidates } from './find-candidates.js';
export { listStanding, type StandingShares } from './list-standing.js';
export { loadAnswerSources } from './load-answer-sources.js';
export type { RecallFindings, RecallSearch, SourcePlace } from './recall-search.js';
