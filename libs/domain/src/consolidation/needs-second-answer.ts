import { findLostFacts } from '../meaning/kept-facts.js';
import { listTerms } from './find-conflict.js';
import type { PairDecision } from './plan-run.js';

/**
 * Whether a model's merge of two memories of which one says more than the other is to be asked about again, in the other
 * order: no check can tell two facts that are joined ("sleeps badly", "sleeps badly before exams") from one fact that is
 * told in two ways, so two answers have to agree.
 */
export function needsSecondAnswer(decision: PairDecision): boolean {
  if (decision.by !== 'model' || decision.verdict !== 'merge') return false;
  const { a, b } = decision.pair;
  return saysMore(a.content, b.content) || saysMore(b.content, a.content);
}

function saysMore(text: string, other: string): boolean {
  const terms = listTerms(other);
  return [...listTerms(text)].some((term) => !terms.has(term)) || findLostFacts([text], other).length > 0;
}
