import { toWords } from '../lexical/posting-entries.js';
import { OWN_WEIGHT, type PostingList } from '../lexical/types.js';
import type { EchoedStatement } from './read-statement.js';

/** The index terms by which the echoes of a statement are found. */
export function listLookupTerms({ terms }: EchoedStatement): string[] {
  return terms.flatMap(({ same }) => same);
}

/** Numbers of the turns that may be echoes of a statement, newest first, by the postings of its terms. */
export function findEchoUnits(lists: readonly PostingList[], { terms, floor }: EchoedStatement): number[] {
  const having = terms.map(({ same }) => listUnits(lists.filter(({ term }) => same.includes(term))));
  const required = having.filter((_, index) => terms[index]!.isRequired);
  const counts = new Map<number, number>();
  for (const units of having) for (const unit of units) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  return [...counts]
    .filter(([unit, count]) => count >= floor && required.every((units) => units.has(unit)))
    .map(([unit]) => unit)
    .toSorted((a, b) => b - a);
}

/** The units that have a term in their own text, not only in that of their neighbours. */
function listUnits(lists: readonly PostingList[]): Set<number> {
  const units = new Set<number>();
  for (const { entries } of lists) {
    const words = toWords(entries);
    for (let index = 0; index < words.length; index += 2) {
      if ((words[index + 1]! & 0xffff) >= OWN_WEIGHT) units.add(words[index]!);
    }
  }
  return units;
}
