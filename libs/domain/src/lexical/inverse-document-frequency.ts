/**
 * Inverse document frequency: ln(1 + (N - df + 0.5) / (df + 0.5)), never negative (Lucene's form of BM25's idf).
 * Outdated statistics (df > N) count as df = N.
 */
export function inverseDocumentFrequency(documentFrequency: number, documentCount: number): number {
  const df = Math.min(documentFrequency, documentCount);
  return Math.log1p((documentCount - df + 0.5) / (df + 0.5));
}
