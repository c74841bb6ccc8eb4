import type { MergeBands } from '../meaning/classify-pair.js';
import { extractSlot } from '../meaning/extract-slot.js';
import { listFacts } from '../meaning/kept-facts.js';
import { isContradiction } from '../meaning/slot.js';
import { listTerms } from './find-conflict.js';
import { fingerprintPair } from './fingerprint-pair.js';
import { selectCandidates } from './select-candidates.js';
import { type ConsolidationMemory, DAY_MS, isConsolidated } from './types.js';

/** Cosines of pairs that a run decides about: from `from` to below `to`. */
export interface PairBand {
  readonly from: number;
  readonly to: number;
}

/** Pairs above were decided when they were written, pairs below are about different matters. */
export function getPairBand({ fallback, check }: MergeBands): PairBand {
  return { from: fallback, to: check };
}

/** Two memories near each other, in either order. */
export interface NeighbourPair {
  readonly a: string;
  readonly b: string;
  /** Null when one of them has no vector. */
  readonly cosine: number | null;
}

/** Why a pair is worth a decision. */
type PairReason = 'similar' | 'same_words' | 'other_number';

export interface PlannedPair {
  readonly a: ConsolidationMemory;
  readonly b: ConsolidationMemory;
  /** The cosine, or the share of common words. */
  readonly score: number;
  readonly reason: PairReason;
  readonly fingerprint: string;
}

export interface PairLimits {
  readonly band: PairBand;
  /** Epoch ms. */
  readonly now: number;
  /** Fingerprints of pairs that were decided in the last 14 days. */
  readonly known: ReadonlySet<string>;
  /** Pairs that this user has left today. */
  readonly limit: number;
}

export interface PairPlan {
  readonly pairs: readonly PlannedPair[];
  /** Pairs that were left out although they qualify: decided already, or beyond the limit. */
  readonly known: number;
  readonly postponed: number;
}

export const MAX_PAIRS_PER_DAY = 50;
const MAX_AGE_MS = 90 * DAY_MS;
/** Share of the words of the shorter statement that both have. */
const MIN_OVERLAP = 0.6;
const MIN_SHARED_WORDS = 2;

/**
 * The pairs of one user's memories that a run decides about, most similar first, whatever the order of `memories` and
 * `neighbours`. No model is needed for it. `neighbours` contain at least one candidate of `selectCandidates` each.
 */
export function planPairs(
  memories: readonly ConsolidationMemory[],
  neighbours: readonly NeighbourPair[],
  limits: PairLimits,
): PairPlan {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const candidates = selectCandidates(memories, limits.now);
  const planned = new Map<string, PlannedPair>();
  for (const neighbour of neighbours) {
    const [a, b] = [neighbour.a, neighbour.b].toSorted().map((id) => byId.get(id));
    if (!a || !b || a === b || !(candidates.has(a.id) || candidates.has(b.id))) continue;
    const match = isComparable(a, b, limits.now) ? matchPair(a, b, neighbour.cosine, limits.band) : null;
    if (match) planned.set(`${a.id} ${b.id}`, { a, b, ...match, fingerprint: fingerprintPair(a, b, match.score) });
  }
  const pairs = [...planned.values()].toSorted(comparePairs);
  const open = pairs.filter(({ fingerprint }) => !limits.known.has(fingerprint));
  const chosen = open.slice(0, Math.max(0, limits.limit));
  return { pairs: chosen, known: pairs.length - open.length, postponed: open.length - chosen.length };
}

function comparePairs(x: PlannedPair, y: PlannedPair): number {
  return y.score - x.score || (`${x.a.id} ${x.b.id}` < `${y.a.id} ${y.b.id}` ? -1 : 1);
}

/**
 * Whether one memory may become part of the other: of one type and category, since agents may see one category and not
 * the other; recently said; not opposed in one slot, which time decides; not what the person fixed.
 */
function isComparable(a: ConsolidationMemory, b: ConsolidationMemory, now: number): boolean {
  if (![a, b].every((memory) => isConsolidated(memory) && now - getLastActivity(memory) <= MAX_AGE_MS)) return false;
  if (a.type !== b.type || a.category !== b.category) return false;
  const [first, second] = [extractSlot(a), extractSlot(b)];
  return !first || !second || !(isContradiction(first, second) || isContradiction(second, first));
}

function getLastActivity({ createdAt, updatedAt, saidAt }: ConsolidationMemory): number {
  return Math.max(createdAt, updatedAt, saidAt);
}

function matchPair(
  a: ConsolidationMemory,
  b: ConsolidationMemory,
  cosine: number | null,
  band: PairBand,
): Pick<PlannedPair, 'score' | 'reason'> | null {
  if (cosine !== null && cosine >= band.from && cosine < band.to) return { score: cosine, reason: 'similar' };
  const [first, second] = [listTerms(a.content), listTerms(b.content)];
  const shared = [...first].filter((term) => second.has(term)).length;
  const overlap = shared / Math.max(1, Math.min(first.size, second.size));
  const score = cosine ?? overlap;
  if (overlap === 1 && first.size === second.size && hasOtherNumbers(a, b)) return { score, reason: 'other_number' };
  return overlap >= MIN_OVERLAP && shared >= MIN_SHARED_WORDS ? { score, reason: 'same_words' } : null;
}

function hasOtherNumbers(a: ConsolidationMemory, b: ConsolidationMemory): boolean {
  const [first, second] = [a, b].map(({ content }) =>
    listFacts(content)
      .filter(({ kind }) => kind === 'number' || kind === 'date')
      .map(({ value }) => value)
      .join(' '),
  );
  return first !== second;
}
