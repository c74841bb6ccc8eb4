import { stem } from '@annals/english';
import { IRREGULAR_FORMS } from './irregular-forms.js';

/** Common words repeat, and stemming is most of the cost of analysing a text. */
const MAX_CACHED_TERMS = 20_000;
const termCache = new Map<string, string>();

/** The index term of a word from `splitWords`: "went" and "goes" are "go". */
export function toIndexTerm(word: string): string {
  const before = termCache.get(word);
  if (before !== undefined) return before;
  const term = stem(IRREGULAR_FORMS.get(word) ?? word);
  if (termCache.size >= MAX_CACHED_TERMS) termCache.clear();
  termCache.set(word, term);
  return term;
}
