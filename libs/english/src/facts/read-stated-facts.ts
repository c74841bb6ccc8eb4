import { type FactToken, tokenizeFacts } from './fact-tokens.js';
import { listDates, type NamedDate } from './list-dates.js';
import { listNamedWords, type NamedWord } from './list-names.js';
import { listNegations, type Negation } from './list-negations.js';
import { listQuantities, type Quantity } from './list-quantities.js';

/** What a text states exactly. Positions are indexes of `tokens`. */
export interface StatedFacts {
  readonly tokens: readonly FactToken[];
  readonly quantities: readonly Quantity[];
  readonly dates: readonly NamedDate[];
  readonly names: readonly NamedWord[];
  readonly negations: readonly Negation[];
}

/** The numbers, dates, names and negations of a text, each with what makes it equal to another one; takes linear time. */
export function readStatedFacts(text: string): StatedFacts {
  const tokens = tokenizeFacts(text.normalize('NFC'));
  const taken = new Set<number>();
  const take = <T extends { readonly from: number; readonly to: number }>(spans: readonly T[]): readonly T[] => {
    for (const { from, to } of spans) for (let at = from; at < to; at += 1) taken.add(at);
    return spans;
  };
  const dates = take(listDates(tokens));
  const quantities = take(listQuantities(tokens, taken));
  return { tokens, dates, quantities, names: listNamedWords(tokens, taken), negations: listNegations(tokens) };
}
