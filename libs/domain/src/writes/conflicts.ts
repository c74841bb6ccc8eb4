import { resolveDates } from '@annals/english';
import { extractSlot } from '../meaning/extract-slot.js';
import { isContradiction, type Slot } from '../meaning/slot.js';
import type { StatementMatches, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

export interface TimedStatement {
  readonly slot: Slot | null;
  /** Since when it holds, epoch ms. */
  readonly begins: number;
  /** When it was last asserted, epoch ms: of two contradicting statements, the one asserted later wins. */
  readonly assertedAt: number;
}

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

/** A state whenever it was said, an event when it happened, a memory added through the API at its `validFrom`. */
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

/** Oldest first; assertions outside the row's validity belong to other rows with the same content. */
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

/** Ends the rows that held before a statement where it begins. `reason`: new, or known already for a later time. */
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
    const closed = set.close(row, successor.id, begins);
    set.record(closed, 'UPDATE', { oldRef: row.id, newRef: successor.id, meta: { reason } });
    return [closed];
  });
}

const DAY_MS = 86_400_000;
const PERIOD_LEAD = /\b(?:in|on)\s$/;
const YEAR = /\bin (\d{4})\b/;

/**
 * The end (epoch ms) of the period in which a statement's event may have happened: "in April 2026" ends a month after
 * it begins. `begins` is the start of the period, and the result when the statement names none with its year.
 */
function parsePeriodEnd(content: string, begins: number): number {
  const period = resolveDates(content, begins).find(
    ({ granularity, text, start }) =>
      granularity !== 'day' && /\d{4}/.test(text) && PERIOD_LEAD.test(content.slice(Math.max(0, start - 4), start)),
  );
  if (period) return Math.max(begins, Date.parse(period.to) + DAY_MS - 1);
  // A year alone may be followed by anything: "in 2019 using a van" is not taken for a number of something here.
  const year = YEAR.exec(content)?.[1];
  return year === undefined ? begins : Math.max(begins, Date.UTC(Number(year) + 1, 0, 1) - 1);
}
