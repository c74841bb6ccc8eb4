import type { SimilarityProfile } from './embedding-provider.js';

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

/** Sentence transformers spread cosines as widely, but a changed number or name moves them little. */
const SENTENCES: SimilarityProfile = { ...WIDE, bands: OPEN_MODEL.profile.bands };

/** OpenAI's models of November 2026, whose prices are in the pricing catalog, and open ones without a prefix. */
const KNOWN: Readonly<Record<string, EmbeddingModelFacts>> = {
  'text-embedding-3-small': { canShorten: true, profile: WIDE },
  'text-embedding-3-large': { canShorten: true, profile: WIDE },
  'text-embedding-ada-002': { canShorten: false, profile: CROWDED },
  'all-MiniLM-L6-v2': { canShorten: false, profile: SENTENCES },
  'all-MiniLM-L12-v2': { canShorten: false, profile: SENTENCES },
  'all-mpnet-base-v2': { canShorten: false, profile: SENTENCES },
  'paraphrase-multilingual-MiniLM-L12-v2': { canShorten: false, profile: SENTENCES },
};

export function findModelFacts(model: string): EmbeddingModelFacts {
  return KNOWN[model] ?? OPEN_MODEL;
}
