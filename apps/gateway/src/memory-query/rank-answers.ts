import {
  applyRerank,
  type CategoryConfig,
  DEFAULT_RAG_LENGTH,
  type RankedAnswer,
  type RecallCandidate,
  type RecallWeights,
  type RedundancyScale,
  renderAnswer,
  type ScoredCandidate,
  selectAnswers,
  type SelectedAnswers,
  type SentenceCosts,
  type Sliced,
} from '@annals/domain';
import { type DroppedCandidate, fitToBudget, renderLines, type Selection } from './fit-to-budget.js';
import type { QueryPlan } from './plan-query.js';

export interface RankOptions {
  readonly weights: RecallWeights;
  readonly categories: CategoryConfig;
  readonly redundancy: RedundancyScale | null;
  readonly countTokens: (text: string) => number;
  readonly costs: SentenceCosts;
  /** Tokens of the changes header. */
  readonly reservedTokens: number;
  /** Memories that belong to the response whatever the query is about, best first. */
  readonly core: readonly RecallCandidate[];
  /** The reranker's scores by candidate id; null when it was not called. */
  readonly reranked: ReadonlyMap<string, number> | null;
}

export interface Ranking {
  readonly selection: Selection;
  /** Core memories that are not among the results (docs/reference/categories-and-agents.md#core-memories). */
  readonly core: Selection;
}

/** Share of the token budget that core memories take before the words of turns behind facts get the rest. */
const CORE_SHARE = 0.5;

/**
 * Selects and ranks the results among scored candidates, within the context modes of their categories
 * (docs/reference/categories-and-agents.md#context-modes, docs/reference/recall.md#order-of-ranking).
 */
export function* rankAnswers(
  scored: readonly ScoredCandidate[],
  { body, query, topK, scope }: QueryPlan,
  { weights, categories, redundancy, core, countTokens, costs, reservedTokens, reranked }: RankOptions,
): Sliced<Ranking> {
  const threshold = body.threshold ?? 0;
  // The caller's threshold also applies to the reranker's scores: both are relevances of 0 to 1.
  const reranking =
    reranked && applyRerank(scored, reranked, { threshold: Math.max(weights.rerankThreshold, threshold) });
  const { within, beyond } = limitCategories(reranking?.scored ?? scored, categories);
  const lines = yield* renderLines(core, countTokens);
  const fitCore = ({ kept, replacing }: Pick<SelectedAnswers, 'kept' | 'replacing'>, budgetTokens: number) =>
    fitToBudget(withoutAnswers(lines, kept), { topK: Infinity, budgetTokens, certain: replacing });
  const selected = yield* selectAnswers(within, {
    query: query ?? '',
    now: scope.now,
    weights: { ...weights, recency: body.recency_weight ?? weights.recency },
    redundancy,
    threshold,
    topK,
    budgetTokens: body.budget_tokens,
    countTokens,
    costs,
    reservedTokens,
    beside: lines,
    tokensBeside: (answers) => fitCore(answers, CORE_SHARE * body.budget_tokens).tokens,
    leaveOutReplaced: body.return === 'bullets' && body.current !== false,
    renderText: renderAnswer,
  });
  return {
    selection: { ...selected, dropped: [...(reranking?.dropped ?? []), ...beyond, ...selected.dropped] },
    core: fitCore(selected, body.budget_tokens - reservedTokens - selected.tokens),
  };
}

function withoutAnswers(lines: readonly RankedAnswer[], answers: readonly RankedAnswer[]): RankedAnswer[] {
  const ids = new Set(answers.map(({ candidate }) => candidate.id));
  return lines.filter(({ candidate }) => !ids.has(candidate.id));
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
