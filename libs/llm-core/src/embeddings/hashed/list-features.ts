import { analyzeTerms, stem, wordsOf } from '@annals/domain';

export type FeatureKind = 'stem' | 'pair' | 'part';

export interface Feature {
  kind: FeatureKind;
  text: string;
  count: number;
}

const PART_LENGTH = 3;

/**
 * What a text is made of: its stems without stop words, pairs of neighbouring stems (word order), and trigrams of its
 * stems with their edges marked, which let "gardening" and "gardener" or a misspelling still meet.
 */
export function listFeatures(text: string): Feature[] {
  const { terms } = analyzeTerms(text);
  const sequence = wordsOf(text)
    .map(stem)
    .filter((term) => terms.has(term));
  return [
    ...Array.from(terms, ([term, count]): Feature => ({ kind: 'stem', text: term, count })),
    ...countFeatures(
      'pair',
      sequence.slice(1).map((term, index) => `${sequence[index]} ${term}`),
    ),
    ...countFeatures('part', Array.from(terms.keys()).flatMap(listParts)),
  ];
}

function listParts(term: string): string[] {
  const marked = `<${term}>`;
  if (marked.length <= PART_LENGTH) return [marked];
  return Array.from({ length: marked.length - PART_LENGTH + 1 }, (_, at) => marked.slice(at, at + PART_LENGTH));
}

function countFeatures(kind: FeatureKind, texts: readonly string[]): Feature[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Array.from(counts, ([text, count]) => ({ kind, text, count }));
}
