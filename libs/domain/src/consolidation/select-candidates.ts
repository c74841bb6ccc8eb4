import { fingerprintMemory } from './fingerprint-pair.js';
import { type ConsolidationMemory, DAY_MS, getLastActivity, isComparedAt } from './types.js';

/** Why a memory is compared in a run. */
type CandidateReason = 'recent' | 'important' | 'retrieved';

const RECENT_MS = 3 * DAY_MS;
const MIN_IMPORTANCE = 3;
const TOP_SHARE = 1 / 10;
const MIN_ACCESSES = 2;
/** Each is compared with all vectors of the user. */
const MAX_CANDIDATES_PER_RUN = 500;

/** Candidates that one run compares. */
export interface RunCandidates {
  readonly taken: readonly ConsolidationMemory[];
  /** Number of those that are left to a later run. */
  readonly postponed: number;
}

/**
 * The candidates of a run, what was last said or changed first. `known`: fingerprints that stand, those of candidates
 * that an earlier run compared among them. `now`: epoch ms.
 */
export function takeCandidates(
  memories: readonly ConsolidationMemory[],
  { now, known }: { readonly now: number; readonly known: ReadonlySet<string> },
): RunCandidates {
  const candidates = selectCandidates(memories, now);
  const open = memories
    .filter((memory) => candidates.has(memory.id) && !known.has(fingerprintMemory(memory)))
    .toSorted((a, b) => getLastActivity(b) - getLastActivity(a) || (a.id < b.id ? -1 : 1));
  const taken = open.slice(0, MAX_CANDIDATES_PER_RUN);
  return { taken, postponed: open.length - taken.length };
}

/**
 * The memories of one user that a run compares, with the reason (docs/reference/consolidation.md#candidates). `now`: epoch
 * ms.
 */
export function selectCandidates(
  memories: readonly ConsolidationMemory[],
  now: number,
): ReadonlyMap<string, CandidateReason> {
  const retrieved = selectFrequentlyRetrieved(memories);
  const candidates = new Map<string, CandidateReason>();
  for (const memory of memories.filter((one) => isComparedAt(one, now))) {
    const { id, createdAt, updatedAt, importance } = memory;
    if (now - Math.max(createdAt, updatedAt) <= RECENT_MS) candidates.set(id, 'recent');
    else if (importance >= MIN_IMPORTANCE) candidates.set(id, 'important');
    else if (retrieved.has(id)) candidates.set(id, 'retrieved');
  }
  return candidates;
}

/** The user's top tenth by retrievals of the last 30 days, those with two at least; of equal ones the first by id. */
export function selectFrequentlyRetrieved(memories: readonly ConsolidationMemory[]): ReadonlySet<string> {
  const top = Math.ceil(memories.length * TOP_SHARE);
  return new Set(
    memories
      .toSorted((a, b) => b.accesses - a.accesses || (a.id < b.id ? -1 : 1))
      .slice(0, top)
      .filter(({ accesses }) => accesses >= MIN_ACCESSES)
      .map(({ id }) => id),
  );
}
