import { isContradiction, parsePeriodEnd, extractSlot, type Slot } from '../meaning/index.js';
import type { StatementMatches, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** The times of a statement. */
export interface TimedStatement {
  readonly slot: Slot | null;
  /** Since when it holds, epoch ms. */
  readonly begins: number;
  /** When it was last asserted, epoch ms: of two contradicting statements, the one asserted later wins. */
  readonly assertedAt: number;
}

/** A row that cannot hold beside a statement. */
export interface ConflictingMemory {
  readonly row: StoredMemory;
  /** When it was asserted before the statement, and after it; at least one list is not empty. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export function timeStatement(
  memory: Pick<StoredMemory, 'content' | 'type' | 'origin' | 'validFrom'> & { readonly saidAt: number },
): TimedStatement {
  const slot = extractSlot(memory);
  const begins = memory.validFrom;
  return { slot, begins, assertedAt: assertTimes(slot, memory, [memory.saidAt]).at(-1)! };
}

/**
 * The times at which a statement is asserted: a state whenever it was said, an event when it happened (an event of 2015
 * says nothing about today), a memory added through the API at its `validFrom`.
 */
function assertTimes(
  slot: Slot | null,
  memory: Pick<StoredMemory, 'origin' | 'content' | 'validFrom'>,
  said: readonly number[],
): number[] {
  const { origin, content, validFrom } = memory;
  if (origin === 'manual' || said.length === 0) return [validFrom];
  if (slot?.tense === 'event') return [Math.max(validFrom, Math.min(said[0]!, parsePeriodEnd(content, validFrom)))];
  return said.map((at) => Math.max(at, validFrom));
}

/**
 * The times at which a row was asserted, oldest first; assertions outside its validity belong to other rows with the
 * same content.
 */
function assertTimesOf(set: WorkingSet, row: StoredMemory): number[] {
  const times = assertTimes(extractSlot(row), row, set.saidTimes(row.id));
  const inside = times.filter((at) => at >= row.validFrom && (row.validTo === null || at < row.validTo));
  return inside.length > 0 ? inside : [row.validFrom];
}

/** The rows that contradict a statement, by their slots or by their classification. */
export function findConflicts(
  set: WorkingSet,
  statement: TimedStatement,
  matches?: StatementMatches,
): ConflictingMemory[] {
  const replacedIds = new Set(matches?.replaces?.map(({ memoryId }) => memoryId));
  return set.activeRows().flatMap((row) => {
    const slot = statement.slot && row.slot === statement.slot.key ? extractSlot(row) : null;
    const isConflict = (earlier: Slot | null, later: Slot | null) =>
      replacedIds.has(row.id) || (earlier !== null && later !== null && isContradiction(earlier, later));
    const times = slot || replacedIds.has(row.id) ? assertTimesOf(set, row) : [];
    const before = isConflict(slot, statement.slot) ? times.filter((at) => at <= statement.assertedAt) : [];
    const after = isConflict(statement.slot, slot) ? times.filter((at) => at > statement.assertedAt) : [];
    return before.length + after.length > 0 ? [{ row, before, after }] : [];
  });
}
