import type { QueryExplanation } from '@annals/contracts';
import type { QueryTerm, RecallCandidate, ScoredCandidate } from '@annals/domain';
import type { QueryPlan } from './plan-query.js';
import type { Selection } from './fit-to-budget.js';
import { roundParts, roundScore } from './render-answer.js';

export interface QueryTrace {
  readonly plan: QueryPlan;
  readonly terms: readonly QueryTerm[];
  readonly candidates: readonly RecallCandidate[];
  readonly scored: readonly ScoredCandidate[];
  readonly selection: Selection;
  readonly coreCandidates: readonly RecallCandidate[];
  readonly core: Selection;
  readonly header: QueryExplanation['header'];
  readonly embedding: QueryExplanation['embedding'];
  readonly reranker: QueryExplanation['reranker'];
  readonly timingsMs: Readonly<Record<string, number>>;
}

/** The `explain` part of a response. Every candidate passed the query's filters, so the caller may see all of them. */
export function explainQuery(trace: QueryTrace): QueryExplanation {
  const { plan, terms, candidates, scored, selection, coreCandidates, core, header, embedding, reranker, timingsMs } =
    trace;
  const byId = new Map([...candidates, ...coreCandidates].map((candidate) => [candidate.id, candidate]));
  const relevance = new Map(scored.map((entry) => [entry.candidate.id, entry.relevance]));
  const count = (kind: RecallCandidate['kind']) => candidates.filter((candidate) => candidate.kind === kind).length;
  return {
    terms: terms.map(({ term, weight }) => ({ term, weight })),
    categories: plan.view.categories === null ? null : [...plan.view.categories],
    candidates: { memories: count('memory'), turns: count('turn') },
    kept: selection.kept.map(({ candidate: { id, kind, category }, score, parts, tokens }) => ({
      id,
      kind,
      category,
      score: roundScore(score),
      scores: roundParts(parts),
      tokens,
    })),
    dropped: selection.dropped.map(({ id, kind, why }) => ({
      id,
      kind,
      category: byId.get(id)!.category,
      relevance: roundScore(relevance.get(id) ?? 0),
      why,
    })),
    core: {
      kept: core.kept.map(({ candidate: { id, kind, category }, tokens }) => ({ id, kind, category, tokens })),
      dropped: core.dropped.map(({ id, kind, why }) => ({ id, kind, category: byId.get(id)!.category, why })),
    },
    header,
    embedding,
    reranker,
    timings_ms: { ...timingsMs },
  };
}
