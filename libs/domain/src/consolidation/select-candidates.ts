import { type ConsolidationMemory, DAY_MS, isConsolidated } from './types.js';

/** Why a memory is compared in a run. */
export type CandidateReason = 'recent' | 'important' | 'retrieved';

const RECENT_MS = 3 * DAY_MS;
const MIN_IMPORTANCE = 3;
const TOP_SHARE = 1 / 10;
const MIN_ACCESSES = 2;

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
  for (const memory of memories.filter(isConsolidated)) {
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
