import type { DroppedCandidate, RankedAnswer, RecallCandidate, ScoredCandidate } from './types.js';
import type { RecallWeights } from './weights.js';

export interface SelectOptions {
  /** The question as it was asked: it decides which sentences of a long turn are returned. */
  readonly question: string;
  /** Epoch ms. */
  readonly now: number;
  readonly weights: RecallWeights;
  /** Least relevance, 0–1 (decision 45); not applied to what a reranker scored, which has a threshold of its own. */
  readonly threshold: number;
  readonly topK: number;
  readonly budgetTokens: number;
  readonly countTokens: (text: string) => number;
  /** Tokens of the budget that are already used, by the header for one. */
  readonly reservedTokens: number;
  /** One answer as it is returned: "[category] text (day)". */
  readonly renderText: (candidate: RecallCandidate, content: string) => string;
}

export interface SelectedAnswers {
  /** Best first. */
  readonly kept: RankedAnswer[];
  readonly dropped: DroppedCandidate[];
  /** Tokens of the kept texts, without `reservedTokens`. */
  readonly tokens: number;
}

/**
 * From scored candidates to answers: threshold, one answer for a fact and its turn, time, importance and relations,
 * diversity, `topK`, token budget. Every candidate is either kept or dropped with the reason that came first. The order
 * of the candidates does not matter.
 */
export function selectAnswers(scored: readonly ScoredCandidate[], options: SelectOptions): SelectedAnswers {
  const { now, weights, threshold, topK, budgetTokens, reservedTokens, countTokens, renderText } = options;
  const kept: RankedAnswer[] = [];
  const dropped: DroppedCandidate[] = [];
  let tokens = 0;
  for (const { candidate, relevance, vector, lexical, rerank } of scored.toSorted(
    (a, b) => b.relevance - a.relevance,
  )) {
    const drop = (why: DroppedCandidate['why']) => dropped.push({ id: candidate.id, kind: candidate.kind, why });
    if (rerank === null && relevance < threshold) {
      drop('threshold');
      continue;
    }
    if (kept.length >= topK) {
      drop('top_k');
      continue;
    }
    const text = renderText(candidate, candidate.content);
    const cost = countTokens(text);
    if (reservedTokens + tokens + cost > budgetTokens) {
      drop('budget');
      continue;
    }
    tokens += cost;
    const recency = Math.exp(-Math.max(0, now - candidate.saidAt) / (weights.recencyDays * 86_400_000));
    const score = (1 - weights.recency) * relevance + weights.recency * recency;
    const parts = { vector, lexical, relevance, rerank, recency, importance: 0, relation: 0 };
    kept.push({ candidate, score, parts, content: candidate.content, isCut: false, text, tokens: cost });
  }
  return { kept, dropped, tokens };
}
