import type { StoredMemory, WritePlan } from './types.js';

/**
 * True when a memory is active, not superseded and not ended: the rows of the unique key and of the index statistics.
 */
export function isCurrent(memory: StoredMemory): boolean {
  return memory.state === 'active' && memory.supersededBy === null && memory.validTo === null;
}

/** The change of the index statistics when rows change from `before` to `now`. */
export function computeStatisticsDelta(
  now: readonly StoredMemory[],
  before: readonly StoredMemory[],
): WritePlan['statistics'] {
  const [gained, had] = [now.filter(isCurrent), before.filter(isCurrent)];
  return { memories: gained.length - had.length, terms: sumTerms(gained) - sumTerms(had) };
}

function sumTerms(memories: readonly StoredMemory[]): number {
  return memories.reduce((sum, memory) => sum + memory.termCount, 0);
}
