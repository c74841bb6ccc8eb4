import { listTerms } from './find-conflict.js';
import type { PairDecision } from './plan-run.js';

/**
 * Whether a model's merge joins words that only one memory has with words that only the other one has. No check can tell
 * two facts that are joined from one fact that is told in two ways, so a second answer has to agree.
 */
export function isTwofold(decision: PairDecision): boolean {
  if (decision.by !== 'model' || decision.verdict !== 'merge') return false;
  const { a, b } = decision.pair;
  const [first, second] = [listTerms(a.content), listTerms(b.content)];
  return [...first].some((term) => !second.has(term)) && [...second].some((term) => !first.has(term));
}
