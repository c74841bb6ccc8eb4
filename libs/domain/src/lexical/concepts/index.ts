import { toIndexTerm } from '../to-index-term.js';
import { FOOD_AND_HEALTH } from './food-and-health.js';
import { LEISURE } from './leisure.js';
import { LIFE } from './life.js';
import { PEOPLE } from './people.js';
import { PLACES } from './places.js';
import { WORK_AND_LEARNING } from './work-and-learning.js';

/** The concepts of each term, as terms of the index. */
export interface Concepts {
  /** In a text: "guitar" belongs to the concept of instruments. */
  readonly ofText: ReadonlyMap<string, readonly string[]>;
  /** In a query: "instrument" searches for the concept, "guitar" does not. */
  readonly ofQuery: ReadonlyMap<string, readonly string[]>;
}

/**
 * Everyday English in which a query's word covers the words of its answers. A line is one concept: "asking words: words
 * that answer", or "= words that mean the same"; a line that begins with a space continues the one before. Written
 * manually from common knowledge, so that no model is needed. Terms are marked, so that they never equal a word of a
 * text.
 */
export const CONCEPTS: Concepts = parseConcepts([PEOPLE, PLACES, FOOD_AND_HEALTH, WORK_AND_LEARNING, LEISURE, LIFE]);

function parseConcepts(texts: readonly string[]): Concepts {
  const ofText = new Map<string, string[]>();
  const ofQuery = new Map<string, string[]>();
  for (const line of texts.flatMap((text) => text.replaceAll('\n ', '').trim().split('\n'))) {
    const [asking, answering] = line.startsWith('=') ? [line.slice(1), line.slice(1)] : line.split(':');
    const [askingWords, answeringWords] = [asking!.trim().split(/\s+/), answering!.trim().split(/\s+/)];
    const concept = `${line.startsWith('=') ? '=' : '~'}${askingWords.join('-')}`;
    for (const word of answeringWords) addConcept(ofText, toIndexTerm(word), concept);
    for (const word of askingWords) addConcept(ofQuery, toIndexTerm(word), concept);
  }
  return { ofText, ofQuery };
}

function addConcept(concepts: Map<string, string[]>, term: string, concept: string): void {
  const known = concepts.get(term);
  if (known === undefined) concepts.set(term, [concept]);
  else if (!known.includes(concept)) known.push(concept);
}
