/**
 * Similarity floors of one embedding model (docs/reference/reconciliation.md#similarity-bands), each a cosine: at or
 * above `auto` two statements count as the same, from `check` a model decides, from `fallback` lexical overlap decides,
 * from `link` they are related.
 */
export interface MergeBands {
  readonly auto: number;
  readonly check: number;
  readonly fallback: number;
  readonly link: number;
}

export type Band = 'auto' | 'check' | 'fallback' | 'link';

/** The band of a cosine; null below all of them. */
export function findBand(cosine: number, bands: MergeBands): Band | null {
  if (cosine >= bands.auto) return 'auto';
  if (cosine >= bands.check) return 'check';
  if (cosine >= bands.fallback) return 'fallback';
  return cosine >= bands.link ? 'link' : null;
}
