import type { StoredMemory, WritePlan } from './types.js';

/** True when a memory is active, not superseded and not ended: what the unique key and the index statistics speak of. */
export function isCurrent(memory: StoredMemory): boolean {
  return memory.state === 'active' && memory.supersededBy === null && memory.validTo === null;
}

/** What the index statistics gain by rows that are as they are `now` and were as they are in `before`. */
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
