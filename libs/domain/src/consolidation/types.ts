import type { MemoryType } from '@annals/contracts';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Memories that were last said or changed longer ago are not compared. */
export const MAX_COMPARED_AGE_MS = 90 * DAY_MS;

/** A current memory of one user, as a run of consolidation reads it. Times are epoch ms. */
export interface ConsolidationMemory {
  readonly id: string;
  readonly revision: number;
  /** Empty when it was last said or changed too long ago to be compared. */
  readonly content: string;
  readonly type: MemoryType;
  readonly category: string;
  readonly importance: number;
  readonly pinned: boolean;
  /** The person has agreed to its use as it is: runs leave it alone, like pinned ones. */
  readonly isConsented: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Time of its newest source. */
  readonly saidAt: number;
  readonly validFrom: number;
  /** How often it was retrieved in the last 30 days. */
  readonly accesses: number;
  readonly lastAccessedAt: number | null;
  /** Number of threads that it was stated in. */
  readonly threads: number;
  /** When a run last changed its importance. */
  readonly rerankedAt: number | null;
}

/** Whether runs may change a memory: not what the person fixed, and not what other minds keep themselves. */
export function isConsolidated({ type, pinned, isConsented }: ConsolidationMemory): boolean {
  return !pinned && !isConsented && type !== 'insight';
}

/** When it was last said or changed, in epoch ms. */
export function getLastActivity({ createdAt, updatedAt, saidAt }: ConsolidationMemory): number {
  return Math.max(createdAt, updatedAt, saidAt);
}

export function isComparedAt(memory: ConsolidationMemory, now: number): boolean {
  return isConsolidated(memory) && now - getLastActivity(memory) <= MAX_COMPARED_AGE_MS;
}
