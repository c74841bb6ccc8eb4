import fc from 'fast-check';
import { NO_COSTS, type SentenceCosts } from './sentence-costs.js';
import type { RecallWeights } from './score-answer.js';
import type { RecallCandidate, ScoredCandidate } from './types.js';

export const NOW = Date.UTC(2026, 0, 31);
export const DAY_MS = 86_400_000;

export function createCandidate(id: string, rest: Partial<RecallCandidate> = {}): RecallCandidate {
  const isTurn = rest.kind !== 'memory';
  return {
    kind: 'turn',
    scope: 'user',
    id,
    category: isTurn ? 'activity' : 'profile',
    type: isTurn ? 'turn' : 'semantic',
    content: `content of ${id}`,
    importance: 1,
    confidence: 1,
    pinned: false,
    validFrom: NOW,
    validTo: null,
    recordedAt: NOW,
    saidAt: NOW,
    cosine: null,
    lexical: 0,
    lexicalCeiling: 0,
    speaker: null,
    threadId: 't',
    messageIds: isTurn ? [id] : [],
    superseded: 'no',
    supersededBy: null,
    relatedStrength: 0,
    ...rest,
  };
}

export function createScored(
  id: string,
  relevance: number,
  rest: Partial<RecallCandidate> = {},
  rerank: number | null = null,
): ScoredCandidate {
  return { candidate: createCandidate(id, rest), relevance, vector: 0, lexical: relevance, rerank };
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Facts and turns that share messages, words, times and scores. */
export const anyScored: fc.Arbitrary<ScoredCandidate[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.nat({ max: 30 }).map(String),
      isTurn: fc.boolean(),
      relevance: fc.oneof(share, fc.constantFrom(0, 0.5, 1)),
      words: fc.array(fc.constantFrom('red', 'tea', 'boat', 'moon', 'yesterday', '. '), {
        minLength: 1,
        maxLength: 60,
      }),
      ageDays: fc.integer({ min: -5, max: 400 }),
      importance: fc.integer({ min: 1, max: 5 }),
      relatedStrength: share,
      superseded: fc.constantFrom('no', 'partly', 'wholly'),
      sourceIds: fc.array(fc.nat({ max: 30 }).map(String), { maxLength: 3 }),
      rerank: fc.option(share, { freq: 1, nil: null }),
    })
    .map(({ id, isTurn, relevance, words, ageDays, sourceIds, rerank, ...rest }) =>
      createScored(
        id,
        relevance,
        {
          ...rest,
          kind: isTurn ? 'turn' : 'memory',
          content: words.join(' '),
          saidAt: NOW - ageDays * DAY_MS,
          messageIds: isTurn ? [id] : sourceIds,
        },
        rerank,
      ),
    ),
  { selector: ({ candidate }) => candidate.id, maxLength: 20 },
);

/** The defaults of the variables `ANNALS_RECALL_*`. */
export const DEFAULT_RECALL_WEIGHTS: RecallWeights = {
  recency: 0.2,
  recencyDays: 30,
  importance: 0.05,
  relation: 0.05,
  insight: 0.5,
  superseded: 0.5,
  question: 0.9,
  mmrLambda: 0.7,
  rerankThreshold: 0.35,
  turnTokens: 120,
};

/** Costs that are never dropped. */
export function createCosts(): SentenceCosts & { readonly keys: ReadonlySet<string> } {
  const known = new Map<string, Int32Array>();
  const keys = new Set<string>();
  return {
    keys,
    of(key, sentences) {
      const costs = known.get(key) ?? NO_COSTS.of(key, sentences);
      known.set(key, costs);
      keys.add(key);
      return costs;
    },
  };
}
