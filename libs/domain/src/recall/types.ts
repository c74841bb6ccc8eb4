import type { MemoryScope, MemoryType } from '@annals/contracts';
import type { RecallKind } from '../lexical/types.js';

/** A memory or turn that may answer a query, with its signals. Times are epoch ms. */
export interface RecallCandidate {
  readonly kind: RecallKind;
  /** Of a turn: `user`. */
  readonly scope: MemoryScope;
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
  /** Of a turn: when the last of what it states was replaced; null when nothing was. */
  readonly validTo: number | null;
  readonly recordedAt: number;
  /** Of a memory: its newest source, else `validFrom`. */
  readonly saidAt: number;
  /** Cosine similarity to the query, −1 to 1; null without a vector under the model. */
  readonly cosine: number | null;
  /** Of a memory, at unit length; absent unless the search asked for vectors, and without one under the model. */
  readonly vector?: Float32Array;
  /** Raw lexical score, 0 without a shared term. */
  readonly lexical: number;
  /** The maximum score of a unit that has every term of the query; the same for all candidates of a query and scope. */
  readonly lexicalCeiling: number;
  /** The speaker: the actor, or the role for a turn without one. */
  readonly speaker: string | null;
  /** How a line calls the speaker of a turn; default: `speaker`. */
  readonly speakerLabel?: string;
  readonly threadId: string | null;
  /** Messages it is based on; for a turn its own id. */
  readonly messageIds: readonly string[];
  /**
   * How much of it is over. Of a memory `wholly`, only under as_of or known_at. Of a turn `partly` where some of what it
   * states has ended, so that its words may not support a fact.
   */
  readonly superseded: 'no' | 'partly' | 'wholly';
  /** The memory that holds in its place at the time of the query; null when it holds itself, as memories do. */
  readonly supersededBy: string | null;
  /**
   * Of a turn of which something was replaced: its sentences without those that say that. `isMixed`: they may still say
   * some of it. Default: none.
   */
  readonly holding?: { readonly content: string; readonly isMixed: boolean };
  /** Of a turn: the memories that it states and that hold. */
  readonly states?: readonly string[];
  /** Strength of the strongest relation to another candidate, 0–1. */
  readonly relatedStrength: number;
}

/** The scale of a model's cosines (docs/reference/reconciliation.md#similarity-bands). */
export interface CosineProfile {
  /** The cosine that two unrelated texts typically have: relevance 0. */
  readonly unrelated: number;
  /** The cosine from which a text clearly matches the query: relevance 1. */
  readonly same: number;
  /** Weight of the vectors beside the words, 0–1. Default: 1. Vectors that are computed from words add little. */
  readonly trust?: number;
}

/** The parts of a score, each 0–1; `importance` and `relation` are what they add to it. */
export interface ScoreParts {
  readonly vector: number;
  readonly lexical: number;
  /** Fused and calibrated; compared with `threshold` (docs/reference/recall.md#threshold). */
  readonly relevance: number;
  /** The reranker's score; null when it was not called. */
  readonly rerank: number | null;
  readonly recency: number;
  readonly importance: number;
  readonly relation: number;
}

/** A candidate with its relevance, before time, importance and diversity are applied. */
export interface ScoredCandidate extends Pick<ScoreParts, 'relevance' | 'vector' | 'lexical' | 'rerank'> {
  readonly candidate: RecallCandidate;
}

/** A candidate that stands for the turns it is based on. */
export interface JoinedCandidate extends ScoredCandidate {
  /** The most relevant of these turns that still holds; null for a turn, and for a fact without such a turn. */
  readonly turn: RecallCandidate | null;
  /** Only the turn matches the query: without its words, the fact would not answer it. */
  readonly needsTurn: boolean;
}

/** The words of a turn that an answer carries behind its fact. */
export interface QuotedTurn {
  readonly speaker: string | null;
  /** How a line calls the speaker; default: `speaker`. */
  readonly speakerLabel?: string;
  readonly content: string;
  /** Epoch ms. */
  readonly saidAt: number;
}

export interface RankedAnswer {
  readonly candidate: RecallCandidate;
  /** 0–1: what the answers are ordered by, before diversity. */
  readonly score: number;
  readonly parts: ScoreParts;
  /** The text to return, not yet rendered: of a long turn its best sentences. */
  readonly content: string;
  readonly isCut: boolean;
  /** As rendered by `renderText`; `tokens` is its length. */
  readonly text: string;
  readonly tokens: number;
}

export type DropReason = 'threshold' | 'rerank' | 'same_source' | 'superseded' | 'diversity' | 'top_k' | 'budget';

export interface DroppedCandidate {
  readonly id: string;
  readonly kind: RecallKind;
  readonly why: DropReason;
}
