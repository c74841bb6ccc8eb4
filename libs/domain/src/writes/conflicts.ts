import { opensAsCorrection } from '@annals/english';
import { extractSlot } from '../meaning/extract-slot.js';
import { isContradiction, type Slot } from '../meaning/slot.js';
import { addsToOthers } from '../meaning/slot-extractors/extract-pursuit.js';
import type { NewMemory, StatementMatches, StoredMemory } from './types.js';
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
  memory: Pick<NewMemory, 'content' | 'type' | 'origin' | 'validFrom' | 'saidAt'> & Partial<Pick<NewMemory, 'sources'>>,
): TimedStatement {
  const slot = extractSlot(memory);
  return {
    slot: slot && { ...slot, ...decideMode(slot, memory) },
    begins: memory.validFrom,
    assertedAt: assertTimes(slot, memory, [memory.saidAt]).at(-1)!,
  };
}

/** The clause that a quote is, after "Actually,". A longer quote may say "also" of something else. */
const ONE_CLAUSE = /^(?:\p{L}+,)?(?:(?!\b(?:and|but|so)\b)[^,;:.!?])+[.!]?$/iu;

/** A statement may be worded without the "also" of the words that it rests on. */
function decideMode(
  slot: Slot,
  { content, sources = [] }: Pick<NewMemory, 'content'> & Partial<Pick<NewMemory, 'sources'>>,
): Pick<Slot, 'mode'> {
  const quotes = sources.map(({ quote }) => quote);
  if (slot.returns) return {};
  if (slot.mode === undefined) {
    const adds = quotes.some((quote) => ONE_CLAUSE.test(quote.trim()) && addsToOthers(quote));
    return adds && slot.holds && slot.tense === 'state' ? { mode: 'beside' } : {};
  }
  if ([content, ...quotes].some(addsToOthers)) return { mode: 'beside' };
  return quotes.some(opensAsCorrection) ? { mode: 'instead' } : {};
}

/**
 * When a statement was made: that is when it counts as reported, whatever earlier date it names
 * (docs/reference/truth-and-time.md#the-newest-report-wins). A memory added through the API counts from its `validFrom`.
 * What happened on a date is not reported anew by a later mention of it.
 */
function assertTimes(
  slot: Slot | null,
  { origin, validFrom }: Pick<StoredMemory, 'origin' | 'validFrom'>,
  said: readonly number[],
): number[] {
  if (origin === 'manual' || said.length === 0) return [validFrom];
  const isDated = slot?.tense === 'event' && !said.includes(validFrom);
  return (isDated ? said.slice(0, 1) : said).map((at) => Math.max(at, validFrom));
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
  // The first to begin: a report made last can begin before one that it corrects.
  const [next] = conflicts
    .filter(({ after }) => after.length > 0)
    .map((conflict) => ({ ...conflict, starts: startOf(conflict, begins) }))
    .toSorted((a, b) => a.starts - b.starts || a.after[0]! - b.after[0]!);
  if (!next) return null;
  const { row, before, after } = next;
  if (before.length === 0) return { validTo: next.starts, supersededBy: row.id };
  const rest = set.copy(row, after[0]!);
  set.record(rest, 'ADD', { oldRef: row.id, meta: { reason: 'continues' } });
  return { validTo: rest.validFrom, supersededBy: rest.id };
}

/** When a row that was asserted later takes over from a statement that begins at `begins`. */
function startOf({ row, before, after }: ConflictingMemory, begins: number): number {
  return before.length > 0 ? after[0]! : Math.max(row.validFrom, begins);
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
