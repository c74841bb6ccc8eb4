import { stem } from '../text/analyze-terms.js';
import { IRREGULAR_FORMS } from './irregular-forms.js';

/** Words of everyday speech come again and again, and stemming is most of what reading a text costs. */
const MAX_KNOWN = 20_000;
const known = new Map<string, string>();

/** The index term of a word as `wordsOf` gives it: "went" and "goes" are "go". */
export function termOf(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  const term = stem(IRREGULAR_FORMS.get(word) ?? word);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(word, term);
  return term;
}
