import { selectFrequentlyRetrieved } from './select-candidates.js';
import { type ConsolidationMemory, DAY_MS, isConsolidated } from './types.js';

export interface Rerank {
  readonly memoryId: string;
  readonly revision: number;
  readonly from: number;
  readonly to: number;
  readonly reason: 'stated_in_threads' | 'retrieved' | 'not_retrieved';
}

const PAUSE_MS = 14 * DAY_MS;
const UNUSED_MS = 60 * DAY_MS;
const MIN_THREADS = 3;
const MAX_IMPORTANCE = 5;
const MIN_IMPORTANCE = 1;
/** What is at least this important is never deleted for being unused, and re-ranking does not change that. */
const SAFE_IMPORTANCE = 3;

/**
 * One step of importance up for memories that were stated in three threads and again since the last change, or are
 * frequently retrieved; one step down for those that nobody retrieved in 60 days. At most once in 14 days. By id.
 */
export function planReranks(memories: readonly ConsolidationMemory[], now: number): Rerank[] {
  const retrieved = selectFrequentlyRetrieved(memories);
  return memories
    .filter((memory) => isConsolidated(memory) && (memory.rerankedAt === null || now - memory.rerankedAt >= PAUSE_MS))
    .flatMap((memory) => {
      const change = findUp(memory, retrieved) ?? findDown(memory, now);
      if (change === null) return [];
      const { id: memoryId, revision, importance: from } = memory;
      return [{ memoryId, revision, from, ...change }];
    })
    .toSorted((a, b) => (a.memoryId < b.memoryId ? -1 : 1));
}

type Change = Pick<Rerank, 'to' | 'reason'>;

function findUp(memory: ConsolidationMemory, retrieved: ReadonlySet<string>): Change | null {
  const { id, importance, threads, saidAt, rerankedAt } = memory;
  if (importance >= MAX_IMPORTANCE) return null;
  // The same three threads raise it once.
  if (threads >= MIN_THREADS && saidAt > (rerankedAt ?? -Infinity)) {
    return { to: importance + 1, reason: 'stated_in_threads' };
  }
  return retrieved.has(id) ? { to: importance + 1, reason: 'retrieved' } : null;
}

function findDown({ importance, createdAt, lastAccessedAt, saidAt }: ConsolidationMemory, now: number): Change | null {
  if (importance <= MIN_IMPORTANCE || importance === SAFE_IMPORTANCE) return null;
  const lastUse = Math.max(createdAt, saidAt, lastAccessedAt ?? -Infinity);
  return now - lastUse > UNUSED_MS ? { to: importance - 1, reason: 'not_retrieved' } : null;
}
