import { stem } from '../text/analyze-terms.js';
import { IRREGULAR_FORMS } from './irregular-forms.js';

/** The index term of a word as `wordsOf` gives it: "went" and "goes" are "go". */
export function termOf(word: string): string {
  return stem(IRREGULAR_FORMS.get(word) ?? word);
}
