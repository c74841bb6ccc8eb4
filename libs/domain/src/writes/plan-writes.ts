import { planDelete, planEdit, planPurge, planRestore } from './plan-lifecycle.js';
import { planObservation } from './plan-observation.js';
import { planRejection, planRelease } from './plan-quarantine.js';
import { planSupersede } from './plan-supersede.js';
import { planUndo } from './plan-undo.js';
import type { ChangeResult, MemoryChange, PlanContext, PlannedLink, StoredMemory, WritePlan } from './types.js';
import { WorkingSet } from './working-set.js';

/**
 * Plans a write transaction. `stored` holds every row of the user that a change names or that shares a hash with one.
 * Changes are applied in order, each on the result of those before it.
 */
export function planWrites(
  stored: readonly StoredMemory[],
  changes: readonly MemoryChange[],
  links: readonly PlannedLink[],
  context: PlanContext,
): WritePlan {
  const set = new WorkingSet(stored, context);
  const results = changes.map((change) => set.inOneChange(() => planChange(set, change)));
  planLinks(set, results, links);
  return set.toPlan(results);
}

function planChange(set: WorkingSet, change: MemoryChange): ChangeResult {
  if (change.kind === 'observe') return planObservation(set, change.memory, change.matches);
  const { memoryId } = change;
  if (change.kind !== 'purge' && change.expectedRevision !== undefined && set.find(memoryId)) {
    if (set.storedRevision(memoryId) !== change.expectedRevision) return { outcome: 'revision_conflict', memoryId };
  }
  switch (change.kind) {
    case 'edit':
      return planEdit(set, change.memoryId, change.patch);
    case 'supersede':
      return planSupersede(set, change.memoryId, change.memory);
    case 'delete':
      return planDelete(set, change.memoryId, change.by);
    case 'restore':
      return planRestore(set, change.memoryId);
    case 'purge':
      return planPurge(set, change.memoryId);
    case 'undo':
      return planUndo(set, memoryId);
    case 'release':
      return planRelease(set, memoryId);
    case 'reject':
      return planRejection(set, memoryId);
  }
}

/** Only with a new memory: between two known ones they were created with the later one. */
function planLinks(set: WorkingSet, results: readonly ChangeResult[], links: readonly PlannedLink[]): void {
  const made = new Set<string>();
  for (const link of links) {
    const from = results[link.from];
    const toId = 'toMemoryId' in link ? link.toMemoryId : results[link.to]?.memoryId;
    if (!from || toId === undefined || from.memoryId === toId) continue;
    const key = `${from.memoryId} ${toId} ${link.relationType}`;
    const isNew = set.isInserted(from.memoryId) || set.isInserted(toId);
    if (!isNew || made.has(key) || !set.isServed(from.memoryId) || !set.isServed(toId)) continue;
    made.add(key);
    set.link({ fromId: from.memoryId, toId, relationType: link.relationType, strength: link.strength });
  }
}
