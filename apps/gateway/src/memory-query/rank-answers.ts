import type { QueryDropReason } from '@annals/contracts';
import {
  applyRerank,
  type CategoryConfig,
  DEFAULT_RAG_LENGTH,
  type RankedAnswer,
  type RecallCandidate,
  type RecallKind,
  type RecallWeights,
  renderAnswer,
  type ScoredCandidate,
  selectAnswers,
  type Sliced,
} from '@annals/domain';
import type { QueryPlan } from './plan-query.js';

interface DroppedCandidate {
  readonly id: string;
  readonly kind: RecallKind;
  readonly why: QueryDropReason;
}

export interface Selection {
  readonly kept: readonly RankedAnswer[];
  readonly dropped: readonly DroppedCandidate[];
  /** Of the texts of the results. */
  readonly tokens: number;
}

export interface RankOptions {
  readonly weights: RecallWeights;
  readonly categories: CategoryConfig;
  readonly countTokens: (text: string) => number;
  /** Tokens of the changes header. */
  readonly reservedTokens: number;
  /** The reranker's scores by candidate id; null when it was not called. */
  readonly reranked: ReadonlyMap<string, number> | null;
}

/**
 * Selects and ranks the results among scored candidates, within the context modes of their categories
 * (docs/reference/categories-and-agents.md#context-modes, docs/reference/recall.md#order-of-ranking).
 */
export function* rankAnswers(
  scored: readonly ScoredCandidate[],
  { body, query, topK, scope }: QueryPlan,
  { weights, categories, countTokens, reservedTokens, reranked }: RankOptions,
): Sliced<Selection> {
  const threshold = body.threshold ?? 0;
  // The caller's threshold also applies to the reranker's scores: both are relevances of 0 to 1.
  const reranking =
    reranked && applyRerank(scored, reranked, { threshold: Math.max(weights.rerankThreshold, threshold) });
  const { within, beyond } = limitCategories(reranking?.scored ?? scored, categories);
  const selected = yield* selectAnswers(within, {
    query: query ?? '',
    now: scope.now,
    weights,
    threshold,
    topK,
    budgetTokens: body.budget_tokens,
    countTokens,
    reservedTokens,
    leaveOutReplaced: body.return === 'bullets' && body.current !== false,
    renderText: renderAnswer,
  });
  return { ...selected, dropped: [...(reranking?.dropped ?? []), ...beyond, ...selected.dropped] };
}

/** The most relevant candidates, best first: the input of the reranker. */
export function listMostRelevant(scored: readonly ScoredCandidate[], limit: number): RecallCandidate[] {
  return scored
    .toSorted(compareRelevance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Limits each category with the mode `rag` to its `rag_length` most relevant candidates. */
function limitCategories(scored: readonly ScoredCandidate[], { categories }: CategoryConfig) {
  const modes = new Map(categories.map((category) => [category.name, category]));
  const counts = new Map<string, number>();
  const within: ScoredCandidate[] = [];
  const beyond: DroppedCandidate[] = [];
  for (const entry of scored.toSorted(compareRelevance)) {
    const { id, kind, category } = entry.candidate;
    const mode = modes.get(category);
    const limit = mode?.context === 'all' ? Infinity : (mode?.ragLength ?? DEFAULT_RAG_LENGTH);
    const count = counts.get(category) ?? 0;
    counts.set(category, count + 1);
    if (count < limit) within.push(entry);
    else beyond.push({ id, kind, why: 'rag_length' });
  }
  return { within, beyond };
}

function compareRelevance(a: ScoredCandidate, b: ScoredCandidate): number {
  return b.relevance - a.relevance || (a.candidate.id < b.candidate.id ? -1 : 1);
}

const NO_PARTS = { vector: 0, lexical: 0, relevance: 0, rerank: null, recency: 0, importance: 0, relation: 0 };

/** The memories of a request without a query, in the given order, until the token budget is used up. */
export function fitToBudget(
  candidates: readonly RecallCandidate[],
  { body, topK }: QueryPlan,
  { countTokens, reservedTokens }: Pick<RankOptions, 'countTokens' | 'reservedTokens'>,
): Selection {
  const kept: RankedAnswer[] = [];
  const dropped: DroppedCandidate[] = [];
  let tokens = 0;
  for (const candidate of candidates) {
    const { id, kind, content } = candidate;
    if (kept.length === topK) {
      dropped.push({ id, kind, why: 'top_k' });
      continue;
    }
    const text = renderAnswer(candidate, content);
    const cost = countTokens(text);
    if (reservedTokens + tokens + cost > body.budget_tokens) {
      dropped.push({ id, kind, why: 'budget' });
      continue;
    }
    tokens += cost;
    kept.push({ candidate, score: 0, parts: NO_PARTS, content, isCut: false, text, tokens: cost });
  }
  return { kept, dropped, tokens };
}
