import type { SimilarityProfile } from '../embedding-provider.js';

export interface EmbeddingModelFacts {
  /** True when the server can be asked for shorter vectors. */
  canShorten: boolean;
  profile: SimilarityProfile;
}

// Not measured here, for want of a key: careful estimates, to be calibrated on data before they may merge anything
// (docs/reference/reconciliation.md#similarity-bands). text-embedding-3 is known to spread its cosines wide, ada-002 to
// crowd them above 0.6.
const WIDE: SimilarityProfile = {
  unrelated: 0.15,
  same: 0.6,
  bands: { auto: 0.95, check: 0.85, fallback: 0.7, link: 0.5 },
};
const CROWDED: SimilarityProfile = {
  unrelated: 0.7,
  same: 0.88,
  bands: { auto: 0.98, check: 0.94, fallback: 0.88, link: 0.83 },
};

const OPEN_MODEL: EmbeddingModelFacts = {
  canShorten: false,
  profile: { unrelated: 0.4, same: 0.8, bands: { auto: 0.96, check: 0.9, fallback: 0.8, link: 0.65 } },
};

/** OpenAI's models of November 2026; what they cost is in the pricing catalog. */
const KNOWN: Readonly<Record<string, EmbeddingModelFacts>> = {
  'text-embedding-3-small': { canShorten: true, profile: WIDE },
  'text-embedding-3-large': { canShorten: true, profile: WIDE },
  'text-embedding-ada-002': { canShorten: false, profile: CROWDED },
};

export function findModelFacts(model: string): EmbeddingModelFacts {
  return KNOWN[model] ?? OPEN_MODEL;
}
