import { hashContent } from '../hash/content-hash.js';
import { extractSlot } from '../meaning/extract-slot.js';
import type { NewMemory, StoredMemory, WritePlan } from './types.js';

/** Active, not superseded and not ended: the rows of the unique key and of the index statistics. */
export function isCurrent(memory: StoredMemory): boolean {
  return memory.state === 'active' && memory.supersededBy === null && memory.validTo === null;
}

/** Whether a person deleted the row after something was said (epoch ms). */
export function wasDeletedSince({ deletedBy, deletedAt }: StoredMemory, saidAt: number): boolean {
  return (deletedBy === 'user' || deletedBy === 'undo') && deletedAt !== null && saidAt <= deletedAt;
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

interface RowFacts {
  readonly id: string;
  /** Epoch ms. */
  readonly now: number;
  readonly termCount: number;
  readonly supersededBy: string | null;
}

export function createRow(memory: NewMemory, { id, now, termCount, supersededBy }: RowFacts): StoredMemory {
  const { sources: _sources, saidAt: _saidAt, threadId: _threadId, ...statement } = memory;
  return {
    ...statement,
    id,
    hash: hashContent(memory.content),
    state: memory.quarantineReason === null ? 'active' : 'quarantined',
    revision: 1,
    termCount,
    supersededBy,
    recordedAt: now,
    closedAt: memory.validTo === null ? null : now,
    formerEnds: [],
    slot: extractSlot(memory)?.key ?? null,
    deletedAt: null,
    deletedBy: null,
    purgeAt: null,
  };
}

export function copyRow(
  memory: StoredMemory,
  { id, now, validFrom }: Pick<RowFacts, 'id' | 'now'> & { readonly validFrom: number },
): StoredMemory {
  const closedAt = memory.validTo === null ? null : now;
  return { ...memory, id, revision: 1, validFrom, recordedAt: now, closedAt, formerEnds: [] };
}

/**
 * The fields of a row whose end is `validTo` in transaction time from `now` on. Previous ends are retained in
 * `formerEnds`, so that `known_at` returns what was known then; `closedAt` is when the current end was recorded.
 */
export function changeValidTo(row: StoredMemory, validTo: number | null, now: number): Partial<StoredMemory> {
  if (validTo === row.validTo) return {};
  if (row.closedAt === null) return { validTo, closedAt: now };
  return { validTo, closedAt: now, formerEnds: [...row.formerEnds, { since: row.closedAt, validTo: row.validTo }] };
}
