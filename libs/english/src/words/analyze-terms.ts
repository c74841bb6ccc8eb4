import { stemmer } from 'stemmer';
import { splitWords } from './split-words.js';
import { STOP_WORDS } from './word-lists.js';

export interface TermAnalysis {
  /** How often each term occurs, in order of first appearance. */
  readonly terms: ReadonlyMap<string, number>;
  /** Number of all occurrences: the document length of BM25. */
  readonly length: number;
}

const STEMMABLE = /^[a-z]{3,}$/;

/** The Porter stem of an English word; words with digits or of other alphabets are unchanged. */
export function stem(word: string): string {
  return STEMMABLE.test(word) ? stemmer(word) : word;
}

/** Words without stop words, stemmed; for postings and hashed embeddings, of queries and texts alike. */
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
