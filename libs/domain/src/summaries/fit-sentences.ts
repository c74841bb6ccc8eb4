import { listFacts } from '../meaning/kept-facts.js';
import type { SummarySentence } from './types.js';

/**
 * The sentences within `maxTokens`, in their order: those with the fewest facts go first, of equals the longest. For an
 * answer that is too long even after its correction, so that a summary never outgrows its target run by run.
 */
export function fitSentences(
  sentences: readonly SummarySentence[],
  maxTokens: number,
  count: (text: string) => number,
): readonly SummarySentence[] {
  const sizes = sentences.map((sentence, index) => {
    return { index, tokens: count(sentence.text) + 1, facts: listFacts(sentence.text).length };
  });
  let total = sizes.reduce((sum, { tokens }) => sum + tokens, 0);
  const dropped = new Set<number>();
  for (const { index, tokens } of sizes.toSorted((a, b) => a.facts - b.facts || b.tokens - a.tokens)) {
    if (total <= maxTokens || dropped.size === sentences.length - 1) break;
    dropped.add(index);
    total -= tokens;
  }
  return sentences.filter((_sentence, index) => !dropped.has(index));
}
