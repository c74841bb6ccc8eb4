import { planComparison } from './plan-comparison.js';
import { planDelete, planEdit, planPurge, planRestore } from './plan-lifecycle.js';
import { planImport } from './plan-import.js';
import { planMerge, planSplit } from './plan-merge.js';
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
  // A merge that was refused names the memory that it was about, which has not got the relations of the other one.
  const targets = results.map(({ outcome, memoryId }, index) =>
    changes[index]!.kind === 'merge' && outcome !== 'merged' ? undefined : memoryId,
  );
  planLinks(set, targets, links);
  return set.toPlan(results);
}

function planChange(set: WorkingSet, change: MemoryChange): ChangeResult {
  if (change.kind === 'observe') return planObservation(set, change.memory, change.matches);
  if (change.kind === 'import') return planImport(set, change.memory);
  const { memoryId } = change;
  if (change.kind !== 'purge' && change.expectedRevision !== undefined && set.find(memoryId)) {
    if (set.storedRevision(memoryId) !== change.expectedRevision) return { outcome: 'revision_conflict', memoryId };
  }
  switch (change.kind) {
    case 'edit':
      return planEdit(set, change.memoryId, change.patch, change.reason);
    case 'supersede':
      return planSupersede(set, change.memoryId, change.memory);
    case 'delete':
      return planDelete(set, change.memoryId, change.by);
    case 'compare':
      return planComparison(set, memoryId, change.same);
    case 'merge':
      return planMerge(set, change);
    case 'split':
      return planSplit(set, memoryId);
    case 'restore':
      return planRestore(set, change.memoryId, change.by);
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

/**
 * One for each pair, the strongest (docs/reference/memory-model.md#relations-between-memories): of a new memory, or of a
 * stored one that a change makes comparable. Two others got theirs with the later one.
 */
function planLinks(set: WorkingSet, targets: readonly (string | undefined)[], links: readonly PlannedLink[]): void {
  const strongest = new Map<string, WritePlan['links'][number]>();
  for (const link of links) {
    const fromId = 'fromMemoryId' in link ? link.fromMemoryId : targets[link.from];
    const toId = 'toMemoryId' in link ? link.toMemoryId : targets[link.to];
    if (fromId === undefined || toId === undefined || fromId === toId) continue;
    if (!set.canLink(fromId, toId) || !set.isServed(fromId) || !set.isServed(toId)) continue;
    const pair = [fromId, toId].toSorted().join(' ');
    const { relationType, strength } = link;
    if (strength > (strongest.get(pair)?.strength ?? -1)) strongest.set(pair, { fromId, toId, relationType, strength });
  }
  for (const link of strongest.values()) set.link(link);
}
