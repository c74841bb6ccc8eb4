import type { MemoryType } from '@annals/contracts';

/**
 * What can be recalled: a memory, or a *turn*, which is a message as a recallable unit
 * (docs/reference/recall.md#turns-are-recallable).
 */
export type RecallKind = 'memory' | 'turn';

/** Something that may answer a query, with what speaks for it. Times are epoch ms. */
export interface RecallCandidate {
  readonly kind: RecallKind;
  readonly id: string;
  /** Of a turn: `activity`. */
  readonly category: string;
  readonly type: MemoryType | 'turn';
  /** Of a turn: the message alone, without the context it is indexed with. */
  readonly content: string;
  /** 1–5; of a turn 2. */
  readonly importance: number;
  readonly confidence: number;
  readonly pinned: boolean;
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly recordedAt: number;
  /** Of a memory: its newest source, else `validFrom`. */
  readonly saidAt: number;
  /** Cosine similarity to the query, −1 to 1; null without a vector under the model. */
  readonly cosine: number | null;
  /** Raw lexical score, 0 without a common term. */
  readonly lexical: number;
  /** What a unit that has every term of the query could score at most; the same for all of an answer. */
  readonly lexicalCeiling: number;
  /** Who said it: the actor, or of a turn without one its role. */
  readonly speaker: string | null;
  readonly threadId: string | null;
  /** Messages it rests on; of a turn its own id. */
  readonly messageIds: readonly string[];
  /** A memory that has ended (only under as_of or known_at), or a turn all of whose served facts were superseded. */
  readonly isSuperseded: boolean;
  /** Strongest edge to another candidate of this answer, 0–1. */
  readonly relatedStrength: number;
}

/** Where a model's cosines lie (docs/reference/reconciliation.md#similarity-bands). */
export interface CosineProfile {
  /** The cosine that two unrelated texts typically have: relevance 0. */
  readonly unrelated: number;
  /** The cosine from which a text plainly answers the query: relevance 1. */
  readonly same: number;
  /** How far the vectors are believed beside the words, 0–1. Default: 1. Vectors that are made of words add little. */
  readonly trust?: number;
}

/** What a score is made of; each 0–1 but for the boosts, which are what they add. */
export interface ScoreParts {
  readonly vector: number;
  readonly lexical: number;
  /** Fused and calibrated: what `threshold` is held against (docs/reference/recall.md#threshold). */
  readonly relevance: number;
  /** The reranker's answer; null when it was not asked. */
  readonly rerank: number | null;
  readonly recency: number;
  readonly importance: number;
  readonly relation: number;
}

/** A candidate with its relevance, before time, importance and diversity count. */
export interface ScoredCandidate {
  readonly candidate: RecallCandidate;
  /** 0–1. */
  readonly relevance: number;
  readonly vector: number;
  readonly lexical: number;
  readonly rerank: number | null;
}

/** An answer: a candidate that is returned. */
export interface RankedAnswer {
  readonly candidate: RecallCandidate;
  /** 0–1: what the answers are ordered by, before diversity. */
  readonly score: number;
  readonly parts: ScoreParts;
  /** The words to return, not yet rendered: of a long turn its best sentences. */
  readonly content: string;
  /** Whether `content` leaves some of the message out. */
  readonly isCut: boolean;
  /** As rendered by `renderText`, and what it costs. */
  readonly text: string;
  readonly tokens: number;
}

/** Why a candidate is not among the answers. */
export type DropReason = 'threshold' | 'rerank' | 'same_source' | 'diversity' | 'top_k' | 'budget';

export interface DroppedCandidate {
  readonly id: string;
  readonly kind: RecallKind;
  readonly why: DropReason;
}
