import { extractSlot } from '../meaning/extract-slot.js';
import { isContradiction } from '../meaning/slot.js';
import { endEarlierRows, findConflicts, type TimedStatement } from './conflicts.js';
import type { ChangeResult, NewMemory, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans a return to the value before the current one ("go back to the old staging server"): the former statement holds
 * again, with the new message as a source. Null for other statements, and when no former value is known.
 */
export function returnToFormer(set: WorkingSet, memory: NewMemory): ChangeResult | null {
  const slot = extractSlot(memory);
  if (!slot?.returns || memory.quarantineReason !== null) return null;
  const former = findFormer(set, slot.key);
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

/** The statement that the latest one of an attribute replaced. */
function findFormer(set: WorkingSet, key: string): StoredMemory | undefined {
  const rows = set
    .activeRows()
    .filter((row) => row.slot === key && !extractSlot(row)?.returns)
    .toSorted((a, b) => a.validFrom - b.validFrom || a.recordedAt - b.recordedAt);
  const current = rows.findLast(({ supersededBy, validTo }) => supersededBy === null && validTo === null);
  const latest = current && extractSlot(current);
  return rows.findLast((row) => {
    const slot = row.id === current?.id ? null : extractSlot(row);
    return slot && latest && isContradiction(slot, latest);
  });
}
