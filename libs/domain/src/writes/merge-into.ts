import { decideDuplicate } from '../merge/index.js';
import type { ChangeResult, NewMemory, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** Merges a statement into the current row that says the same; its sources are kept in any case. */
export function mergeInto(set: WorkingSet, current: StoredMemory, memory: NewMemory): ChangeResult {
  set.addSources(current.id, memory.sources);
  const decision = decideDuplicate(current, memory);
  const pins = memory.pinned && !current.pinned;
  const improves = 'fields' in decision;
  if (!improves && !pins) return { outcome: 'unchanged', memoryId: current.id };
  const takesProvenance = decision.action === 'update' && memory.provider !== null;
  const updated = set.update(current, {
    ...(improves ? decision.fields : {}),
    pinned: current.pinned || memory.pinned,
    ...(takesProvenance ? { provider: memory.provider, model: memory.model } : {}),
  });
  set.record(updated, 'UPDATE', { meta: { reason: improves ? decision.reason : 'pinned' } });
  set.announce(updated, 'updated', memory.threadId);
  return { outcome: 'updated', memoryId: updated.id };
}
