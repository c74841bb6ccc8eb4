import { stemmer } from 'stemmer';
import { splitWords } from './split-words.js';
import { STOP_WORDS } from './stop-words.js';

/** A text as the lexical index sees it. */
export interface TermAnalysis {
  /** How often each term occurs, in order of first appearance. */
  readonly terms: ReadonlyMap<string, number>;
  /** All occurrences together: the document length of BM25. */
  readonly length: number;
}

const STEMMABLE = /^[a-z]{3,}$/;

/** The Porter stem of an English word; words with digits or of other alphabets stay as they are. */
export function stem(word: string): string {
  return STEMMABLE.test(word) ? stemmer(word) : word;
}

/** Terms for postings and hashed embeddings: words without stop words, stemmed. Query and text go the same way. */
export function analyzeTerms(text: string): TermAnalysis {
  const terms = new Map<string, number>();
  let length = 0;
  for (const word of splitWords(text)) {
    if (word === '' || STOP_WORDS.has(word)) continue;
    const term = stem(word);
    terms.set(term, (terms.get(term) ?? 0) + 1);
    length += 1;
  }
  return { terms, length };
}
