import { decideDuplicate } from '../merge/decide-duplicate.js';
import type { ChangeResult, NewMemory, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** Merges a statement into the row with the same meaning; its sources are always stored. */
export function mergeInto(set: WorkingSet, current: StoredMemory, memory: NewMemory): ChangeResult {
  const decision = decideDuplicate(current, memory);
  const pins = memory.pinned && !current.pinned;
  const improves = 'fields' in decision;
  if (!improves && !pins) return addEvidence(set, current, memory);
  set.addSources(current.id, memory);
  const takesProvenance = decision.action === 'update' && memory.provider !== null;
  const updated = set.update(current, {
    ...(improves ? decision.fields : {}),
    pinned: current.pinned || memory.pinned,
    ...(takesProvenance ? { provider: memory.provider, model: memory.model } : {}),
  });
  set.record(updated, 'UPDATE', { meta: { reason: improves ? decision.reason : 'pinned' } });
  if (updated.state === 'active') set.logChange(updated, 'updated', memory.threadId);
  return { outcome: 'updated', memoryId: updated.id };
}

/** Stores a repeated statement's sources; threads in which it is new get a change, unless it has ended. */
export function addEvidence(set: WorkingSet, row: StoredMemory, memory: NewMemory): ChangeResult {
  set.addSources(row.id, memory);
  const holds = row.validTo === null || row.validTo > set.now;
  if (memory.sources.length > 0 && holds) set.logNewEvidence(row);
  return { outcome: 'unchanged', memoryId: row.id };
}
