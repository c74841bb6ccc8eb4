import { STOP_WORDS, splitSentences, splitWords } from '@annals/english';
import { CONCEPTS } from './concepts.js';
import { toIndexTerm } from './to-index-term.js';

/** The terms of a text without stop words, in the order of their words. */
export interface TextTerms {
  readonly all: readonly string[];
  /** Those of its questions. */
  readonly asked: readonly string[];
}

export function analyzeText(text: string): TextTerms {
  const all: string[] = [];
  const asked: string[] = [];
  for (const sentence of splitSentences(text)) {
    const terms = listTerms(sentence);
    for (const term of terms) all.push(term);
    if (sentence.includes('?')) asked.push(...terms);
  }
  return { all, asked };
}

export function listTerms(text: string): string[] {
  const terms: string[] = [];
  for (const word of splitWords(text)) if (word !== '' && !STOP_WORDS.has(word)) terms.push(toIndexTerm(word));
  return terms;
}

export function addTerms(weights: Map<string, number>, terms: Iterable<string>, weight: number): void {
  for (const term of terms) {
    addWeight(weights, term, weight);
    for (const concept of CONCEPTS.ofText.get(term) ?? []) addWeight(weights, concept, weight);
  }
}

export function addWeight(weights: Map<string, number>, term: string, weight: number): void {
  weights.set(term, (weights.get(term) ?? 0) + weight);
}
