export { applyRerank } from './apply-rerank.js';
export type { RerankedCandidates } from './apply-rerank.js';
export { renderAnswer, renderDocument } from './render-answer.js';
export { scoreRelevance } from './score-relevance.js';
export type { RelevanceOptions } from './score-relevance.js';
export { selectAnswers } from './select-answers.js';
export type { SelectOptions, SelectedAnswers } from './select-answers.js';
export type {
  CosineProfile,
  DropReason,
  DroppedCandidate,
  RankedAnswer,
  RecallCandidate,
  RecallKind,
  ScoreParts,
  ScoredCandidate,
} from './types.js';
export type { RecallWeights } from './weights.js';
