import { inverseDocumentFrequency } from '../lexical/inverse-document-frequency.js';

const K1 = 1.2;
const B = 0.75;

/** Counts over all documents in the scope of a query. */
export interface CorpusStatistics {
  readonly documentCount: number;
  /** Mean number of terms of a document. */
  readonly averageLength: number;
}

/** One term of the query as it occurs in one document. */
export interface TermMatch {
  /** Occurrences in the document. */
  readonly frequency: number;
  /** Documents that have the term. */
  readonly documentFrequency: number;
}

/** BM25 with k1 = 1.2 and b = 0.75 of a document of `length` terms for the query terms it has. */
export function scoreBm25(matches: readonly TermMatch[], length: number, corpus: CorpusStatistics): number {
  const relativeLength = corpus.averageLength > 0 ? length / corpus.averageLength : 1;
  const damping = K1 * (1 - B + B * relativeLength);
  return matches.reduce((score, { frequency, documentFrequency }) => {
    const idf = inverseDocumentFrequency(documentFrequency, corpus.documentCount);
    return score + (frequency > 0 ? (idf * frequency * (K1 + 1)) / (frequency + damping) : 0);
  }, 0);
}
