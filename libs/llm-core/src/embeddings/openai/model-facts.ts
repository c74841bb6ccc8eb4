import type { SimilarityProfile } from '../embedding-provider.js';

export interface EmbeddingModelFacts {
  /** Whether the server can return shortened vectors. */
  canShorten: boolean;
  profile: SimilarityProfile;
}

// Conservative estimates, not measured because no API key was available; to be calibrated on data before they are used
// for merging (docs/reference/reconciliation.md#similarity-bands). text-embedding-3 is known for widely spread cosines,
// ada-002 for cosines mostly above 0.6.
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

/** OpenAI's models of November 2026; their prices are in the pricing catalog. */
const KNOWN: Readonly<Record<string, EmbeddingModelFacts>> = {
  'text-embedding-3-small': { canShorten: true, profile: WIDE },
  'text-embedding-3-large': { canShorten: true, profile: WIDE },
  'text-embedding-ada-002': { canShorten: false, profile: CROWDED },
};

export function findModelFacts(model: string): EmbeddingModelFacts {
  return KNOWN[model] ?? OPEN_MODEL;
}
