import type { MergeBands } from '../meaning/classify-pair.js';
import { extractSlot } from '../meaning/extract-slot.js';
import { listFacts } from '../meaning/kept-facts.js';
import { isContradiction, type Slot } from '../meaning/slot.js';
import type { Sliced } from '../text/sliced.js';
import { findConflict, listTerms } from './find-conflict.js';
import { fingerprintPair } from './fingerprint-pair.js';
import { selectCandidates } from './select-candidates.js';
import { type ConsolidationMemory, DAY_MS, isComparedAt } from './types.js';

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
  /** To decide: words may merge them, and where they do not, a model can. */
  readonly pairs: readonly PlannedPair[];
  /** Fingerprints of near pairs that differ in a number, a name or the like: they stay apart, and nobody is asked. */
  readonly opposed: readonly string[];
  /** Number of pairs that qualify and were decided in the last 14 days, and of those beyond the limit. */
  readonly known: number;
  readonly postponed: number;
}

export const MAX_PAIRS_PER_DAY = 50;
/** "Visited Rome", said in May, and "visited Rome with Ana", said in July, may be two visits. */
const MAX_EVENT_GAP_MS = 7 * DAY_MS;
/** Share of the words of the shorter statement that both have. */
const MIN_OVERLAP = 0.6;
const MIN_SHARED_WORDS = 2;

/** Comparisons for each pair of the limit, the most similar pairs first: what is opposed costs time, too. */
const MAX_COMPARED_PER_PAIR = 10;
const COMPARISONS_PER_SLICE = 16;

/**
 * The pairs of one user's memories that a run decides about, most similar first, whatever the order of `memories` and
 * `neighbours`. No model is needed for it
 * (docs/reference/consolidation.md#pairs). `neighbours` contain at least one candidate of `selectCandidates` each.
 */
export function* planPairs(
  memories: readonly ConsolidationMemory[],
  neighbours: readonly NeighbourPair[],
  limits: PairLimits,
): Sliced<PairPlan> {
  const near = yield* listNearPairs(memories, neighbours, limits);
  const open = near.filter(({ fingerprint }) => !limits.known.has(fingerprint));
  const limit = Math.max(0, limits.limit);
  const pairs: PlannedPair[] = [];
  const opposed: string[] = [];
  for (const [index, pair] of open.slice(0, limit * MAX_COMPARED_PER_PAIR).entries()) {
    if (pairs.length === limit) break;
    if (index % COMPARISONS_PER_SLICE === COMPARISONS_PER_SLICE - 1) yield;
    if (findConflict(pair.a.content, pair.b.content) === null) pairs.push(pair);
    else opposed.push(pair.fingerprint);
  }
  const postponed = open.length - pairs.length - opposed.length;
  return { pairs, opposed, known: near.length - open.length, postponed };
}

function* listNearPairs(
  memories: readonly ConsolidationMemory[],
  neighbours: readonly NeighbourPair[],
  { now, band }: PairLimits,
): Sliced<PlannedPair[]> {
  const views = new Map(memories.map((memory) => [memory.id, createView(memory)]));
  const candidates = selectCandidates(memories, now);
  const near = new Map<string, PlannedPair>();
  for (const [index, neighbour] of neighbours.entries()) {
    if (index % COMPARISONS_PER_SLICE === COMPARISONS_PER_SLICE - 1) yield;
    const [first, second] = [neighbour.a, neighbour.b].toSorted().map((id) => views.get(id));
    if (!first || !second || first === second) continue;
    const [a, b] = [first.memory, second.memory];
    if (!(candidates.has(a.id) || candidates.has(b.id)) || !isComparable(first, second, now)) continue;
    const match = matchPair(first, second, neighbour.cosine, band);
    const key = `${a.id} ${b.id}`;
    if (match && match.score > (near.get(key)?.score ?? -Infinity)) {
      near.set(key, { a, b, ...match, fingerprint: fingerprintPair(a, b, match.score) });
    }
  }
  return [...near.values()].toSorted(comparePairs);
}

/** A memory, read once however many neighbours it has. */
interface MemoryView {
  readonly memory: ConsolidationMemory;
  readonly getTerms: () => ReadonlySet<string>;
  readonly getSlot: () => Slot | null;
}

function createView(memory: ConsolidationMemory): MemoryView {
  return {
    memory,
    getTerms: once(() => listTerms(memory.content)),
    getSlot: once(() => extractSlot(memory)),
  };
}

function once<T>(read: () => T): () => T {
  let value: { readonly read: T } | null = null;
  return () => (value ??= { read: read() }).read;
}

function comparePairs(x: PlannedPair, y: PlannedPair): number {
  return y.score - x.score || (`${x.a.id} ${x.b.id}` < `${y.a.id} ${y.b.id}` ? -1 : 1);
}

/**
 * Whether one memory may become part of the other: of one type and category, since agents may see one category and not
 * the other; recently said; of one event; not opposed in one slot, which time decides; not what the person fixed.
 */
function isComparable(
  { memory: a, getSlot: slotOfA }: MemoryView,
  { memory: b, getSlot: slotOfB }: MemoryView,
  now: number,
): boolean {
  if (!(isComparedAt(a, now) && isComparedAt(b, now))) return false;
  if (a.type !== b.type || a.category !== b.category) return false;
  if (a.type === 'episodic' && Math.abs(a.validFrom - b.validFrom) > MAX_EVENT_GAP_MS) return false;
  const [first, second] = [slotOfA(), slotOfB()];
  return !first || !second || !(isContradiction(first, second) || isContradiction(second, first));
}

function matchPair(
  { memory: a, getTerms: termsOfA }: MemoryView,
  { memory: b, getTerms: termsOfB }: MemoryView,
  cosine: number | null,
  band: PairBand,
): Pick<PlannedPair, 'score' | 'reason'> | null {
  if (cosine !== null && cosine >= band.from && cosine < band.to) return { score: cosine, reason: 'similar' };
  const [first, second] = [termsOfA(), termsOfB()];
  const shared = [...first].filter((term) => second.has(term)).length;
  const overlap = shared / Math.max(1, Math.min(first.size, second.size));
  const score = cosine ?? overlap;
  const isStep = overlap === 1 && first.size === second.size && listNumbers(a) !== listNumbers(b);
  if (isStep) return { score, reason: 'other_number' };
  return overlap >= MIN_OVERLAP && shared >= MIN_SHARED_WORDS ? { score, reason: 'same_words' } : null;
}

function listNumbers({ content }: ConsolidationMemory): string {
  const facts = listFacts(content).filter(({ kind }) => kind === 'number' || kind === 'date');
  return facts.map(({ value }) => value).join(' ');
}
