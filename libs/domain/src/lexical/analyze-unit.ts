import { analyzeTerms } from '../text/analyze-terms.js';
import { type IndexedTurn, OWN_WEIGHT, type UnitTerms } from './types.js';

/** A memory as it goes into the index. */
export interface IndexedMemory {
  readonly content: string;
  readonly category: string;
  /** Epoch ms. */
  readonly validFrom: number;
  readonly speaker: string | null;
}

/** What a memory puts into the index. */
export function analyzeMemory({ content }: IndexedMemory): UnitTerms {
  return analyzeOwnText(content);
}

/**
 * What a run of turns puts into the index, by message id: up to 2 earlier turns of the conversation (`isNew` false), then
 * the new ones, in the order they were said. An earlier turn appears when its new neighbours add words to it.
 */
export function analyzeTurns(run: readonly IndexedTurn[]): ReadonlyMap<string, UnitTerms> {
  return new Map(run.filter(({ isNew }) => isNew).map(({ id, content }) => [id, analyzeOwnText(content)]));
}

function analyzeOwnText(text: string): UnitTerms {
  const { terms, length } = analyzeTerms(text);
  const weighted = new Map([...terms].map(([term, count]) => [term, count * OWN_WEIGHT]));
  return { terms: weighted, length, unitLength: length };
}
