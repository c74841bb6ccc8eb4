import type { JoinedCandidate, ScoredCandidate, ScoreParts } from './types.js';

/** All weights of the ranking; each is set by a variable `ANNALS_RECALL_*`. */
export interface RecallWeights {
  /** Weight of recency in the score, 0–1 (docs/reference/recall.md#recency). */
  readonly recency: number;
  /** Days after which recency has fallen to 1/e (docs/reference/recall.md#recency). */
  readonly recencyDays: number;
  /** What importance 5 adds over importance 1. */
  readonly importance: number;
  /** What a relation of strength 1 to another candidate adds (docs/reference/recall.md#relation-boost). */
  readonly relation: number;
  /** Factor of an insight's relevance (docs/reference/memory-model.md#insights-rank-low). */
  readonly insight: number;
  /** Factor of a turn that is wholly over (docs/reference/recall.md#turns-that-are-over). */
  readonly superseded: number;
  /** Factor of a turn that only asks (docs/reference/recall.md#turns-that-only-ask). */
  readonly question: number;
  /** Weight of relevance against diversity in the selection, 0–1 (docs/reference/recall.md#diversity-by-mmr). */
  readonly mmrLambda: number;
  /** Minimum reranker score, 0–1 on the reranker's own scale (docs/reference/recall.md#rerank-threshold). */
  readonly rerankThreshold: number;
  /** Maximum tokens of one turn in a result; a longer one is cut to its best sentences. */
  readonly turnTokens: number;
}

const DAY_MS = 86_400_000;

const MAX_IMPORTANCE = 5;

export interface WeighedCandidate<Entry extends ScoredCandidate = JoinedCandidate> {
  readonly entry: Entry;
  /** 0–1. */
  readonly score: number;
  readonly parts: ScoreParts;
}

/**
 * `(1 - w) · relevance + w · exp(-age / 30 d)` (docs/reference/recall.md#recency), multiplied by a factor for insights,
 * for superseded turns, and for the share `asked` of a turn that is questions; then importance and relations each add their
 * share of the remaining distance to 1.
 */
export function scoreAnswer<Entry extends ScoredCandidate>(
  entry: Entry,
  now: number,
  weights: RecallWeights,
  asked = 0,
): WeighedCandidate<Entry> {
  const { candidate, relevance, vector, lexical, rerank } = entry;
  const recency = computeRecency(now - candidate.saidAt, weights.recencyDays);
  // A memory that has ended is only a candidate because it held at the time of the query (`as_of`): no penalty.
  const isSuperseded = candidate.kind === 'turn' && candidate.superseded === 'wholly';
  const holdingFactor = (candidate.type === 'insight' ? weights.insight : 1) * (isSuperseded ? weights.superseded : 1);
  const factor = holdingFactor * (1 - (1 - weights.question) * asked);
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
