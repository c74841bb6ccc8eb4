import { closeRow } from './close-row.js';
import type { ConflictingMemory, TimedStatement } from './conflicts.js';
import type { StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** The end of a statement's validity, and the row that ends it. */
export interface ValidityEnd {
  readonly validTo: number;
  readonly supersededBy: string;
}

/**
 * The end of a statement that is not the latest of its slot
 * (docs/reference/truth-and-time.md#the-later-statement-wins): the beginning of the next one. A row that was asserted
 * before and after it is split in two, so that the statement fits between. Null for the latest.
 */
export function findValidityEnd(
  set: WorkingSet,
  { begins }: TimedStatement,
  conflicts: readonly ConflictingMemory[],
): ValidityEnd | null {
  const later = conflicts.filter(({ after }) => after.length > 0).toSorted((a, b) => a.after[0]! - b.after[0]!);
  const next = later[0];
  if (!next) return null;
  const { row, before, after } = next;
  if (before.length === 0) return { validTo: Math.max(row.validFrom, begins), supersededBy: row.id };
  const rest = set.copy(row, after[0]!);
  set.record(rest, 'ADD', { oldRef: row.id, meta: { reason: 'continues' } });
  return { validTo: rest.validFrom, supersededBy: rest.id };
}

/**
 * Ends the rows that held before a statement at its beginning. Returns the changed rows. `reason` is whether the
 * statement is new or was already known for a later time.
 */
export function endEarlierRows(
  set: WorkingSet,
  successor: StoredMemory,
  { begins }: TimedStatement,
  conflicts: readonly ConflictingMemory[],
  reason: 'superseded' | 'ended_earlier' = 'superseded',
): StoredMemory[] {
  return conflicts.flatMap(({ row, before }) => {
    const end = row.validTo;
    if (before.length === 0 || (end !== null && end <= begins)) return [];
    const closed = closeRow(set, row, successor.id, begins);
    set.record(closed, 'UPDATE', { oldRef: row.id, newRef: successor.id, meta: { reason } });
    return [closed];
  });
}
