import { STOP_WORDS, splitSentences, splitWords } from '@annals/english';
import { workInSlices } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import { CONCEPTS } from './concepts.js';
import { toIndexTerm } from './to-index-term.js';

/** The terms of a text without stop words, in the order of their words. */
export interface TextTerms {
  readonly all: readonly string[];
  /** Those of its questions. */
  readonly asked: readonly string[];
}

/** In UTF-16 units, of which Unicode normalisation makes up to 18 each. */
export const ANALYSIS_SLICE_UNITS = 4_096;

export function* analyzeText(text: string): Sliced<TextTerms> {
  const all: string[] = [];
  const asked: string[] = [];
  const addSentence = (sentence: string) => {
    const terms = listTerms(sentence);
    for (const term of terms) all.push(term);
    if (sentence.includes('?')) for (const term of terms) asked.push(term);
  };
  yield* workInSlices(text, (slice) => splitSentences(slice).forEach(addSentence), ANALYSIS_SLICE_UNITS);
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

/** Terms that are added between two yields: those of a slice of text. */
const TERMS_OF_SLICE = 8_192;

/** Like `addTerms`, for the terms of a text of any length. */
export function* addManyTerms(weights: Map<string, number>, terms: readonly string[], weight: number): Sliced<void> {
  for (let start = 0; start < terms.length; start += TERMS_OF_SLICE) {
    if (start > 0) yield;
    addTerms(weights, terms.slice(start, start + TERMS_OF_SLICE), weight);
  }
}

export function addWeight(weights: Map<string, number>, term: string, weight: number): void {
  weights.set(term, (weights.get(term) ?? 0) + weight);
}
