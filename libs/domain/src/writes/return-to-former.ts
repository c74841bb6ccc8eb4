import { extractSlot } from '../meaning/extract-slot.js';
import { isContradiction } from '../meaning/slot.js';
import { endEarlierRows, findConflicts, type TimedStatement } from './conflicts.js';
import { addEvidence } from './merge-into.js';
import type { ChangeResult, NewMemory, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans a return to the value before the current one ("go back to the old staging server"): the former statement holds
 * again, with the new message as a source. Null for other statements, and when no former value is known.
 */
export function returnToFormer(set: WorkingSet, memory: NewMemory): ChangeResult | null {
  const slot = extractSlot(memory);
  if (!slot?.returns || memory.quarantineReason !== null) return null;
  const rows = listRows(set, slot.key);
  const current = rows.findLast(({ supersededBy, validTo }) => supersededBy === null && validTo === null);
  if (!current) return null;
  if (current.validFrom <= memory.validFrom && isReturned(set, current, rows)) return addEvidence(set, current, memory);
  const former = findFormer(rows, current);
  if (!former) return null;
  const statement: TimedStatement = {
    slot: extractSlot(former),
    begins: memory.validFrom,
    assertedAt: Math.max(memory.saidAt, memory.validFrom),
  };
  const conflicts = findConflicts(set, statement);
  // A value that was reported later is not the one that is left.
  if (conflicts.length === 0 || conflicts.some(({ after }) => after.length > 0)) return null;
  const again = set.copy({ ...former, validTo: null, supersededBy: null }, memory.validFrom);
  set.addSources(again.id, memory);
  const [ended] = endEarlierRows(set, again, statement, conflicts);
  set.record(again, 'ADD', { ...(ended ? { oldRef: ended.id } : {}), meta: { reason: 'returns' } });
  set.logChange(again, 'updated', memory.threadId, ended ? { replaces: ended.id } : {});
  return { outcome: 'superseded', memoryId: again.id };
}

/** Statements of an attribute that name its value, the first to hold first. */
function listRows(set: WorkingSet, key: string): StoredMemory[] {
  return set
    .activeRows()
    .filter((row) => row.slot === key && !extractSlot(row)?.returns)
    .toSorted((a, b) => a.validFrom - b.validFrom || a.recordedAt - b.recordedAt);
}

/**
 * Whether the current statement holds because of a return: only then it has the sources of an earlier row that did not
 * itself state it again when the current one begins. The same return told again does not toggle back.
 */
function isReturned(set: WorkingSet, current: StoredMemory, rows: readonly StoredMemory[]): boolean {
  const times = set.saidTimes(current.id);
  return rows.some((row) => {
    if (row.id === current.id || row.hash !== current.hash || row.validFrom >= current.validFrom) return false;
    const before = set.saidTimes(row.id);
    return before.some((at) => times.includes(at)) && !before.includes(current.validFrom);
  });
}

/** The statement that the current one replaced. */
function findFormer(rows: readonly StoredMemory[], current: StoredMemory): StoredMemory | undefined {
  const latest = extractSlot(current);
  return rows.findLast((row) => {
    const slot = row.id === current.id ? null : extractSlot(row);
    return slot && latest && isContradiction(slot, latest);
  });
}
