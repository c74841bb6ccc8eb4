import type { ScoredCandidate, ScoreParts } from './types.js';
import type { RecallWeights } from './weights.js';

const DAY_MS = 86_400_000;

/** The highest importance; 1 is the lowest. */
const MAX_IMPORTANCE = 5;

/** A candidate with its score and the score's parts. */
export interface WeighedCandidate {
  readonly entry: ScoredCandidate;
  /** 0–1. */
  readonly score: number;
  readonly parts: ScoreParts;
}

/**
 * Combines relevance with time, importance and relations: `(1 - w) · relevance + w · exp(-age / 30 d)`
 * (docs/reference/recall.md#recency), multiplied by a factor for insights and for superseded turns; then importance and
 * relations each add their share of the remaining distance to 1, so that the score stays within 0 and 1 and rises with
 * every part.
 */
export function scoreAnswer(entry: ScoredCandidate, now: number, weights: RecallWeights): WeighedCandidate {
  const { candidate, relevance, vector, lexical, rerank } = entry;
  const recency = computeRecency(now - candidate.saidAt, weights.recencyDays);
  // A memory that has ended is only a candidate because it held at the time of the query (`as_of`): no penalty.
  const isSuperseded = candidate.kind === 'turn' && candidate.isSuperseded;
  const factor = (candidate.type === 'insight' ? weights.insight : 1) * (isSuperseded ? weights.superseded : 1);
  const timed = ((1 - weights.recency) * relevance + weights.recency * recency) * factor;
  const importance = (weights.importance * (candidate.importance - 1) * (1 - timed)) / (MAX_IMPORTANCE - 1);
  const relation = weights.relation * candidate.relatedStrength * (1 - timed - importance);
  const score = Math.min(1, timed + importance + relation);
  return { entry, score, parts: { vector, lexical, relevance, rerank, recency, importance, relation } };
}

/** 1 for now and the future, 1/e after `days`. */
function computeRecency(ageMs: number, days: number): number {
  return Math.exp(-Math.max(0, ageMs) / (days * DAY_MS));
}
