/** A change of a run as it was written, with the revisions of its memories at the end of the run. */
export interface WrittenChange {
  readonly id: string;
  readonly kind: 'merge' | 'link' | 'rerank';
  /** All memories that it created or changed; of a link both ends. */
  readonly memories: readonly WrittenMemoryRef[];
}

interface WrittenMemoryRef {
  readonly memoryId: string;
  readonly revision: number;
  /** Of a memory that was there before the change. */
  readonly revisionBefore?: number;
}

/** What of a memory matters for an undo; a purged one is absent. */
export interface CurrentMemory {
  readonly revision: number;
  /** A user, a lifetime or an erasure removed it since. */
  readonly isDeleted: boolean;
}

/** Why a change stays: somebody changed one of its memories since, deleted it, or it was undone already. */
export type LeftReason = 'changed_since' | 'deleted_since' | 'undone';

export interface RunUndoPlan {
  /** Ids of changes to undo, the last one first. */
  readonly undo: readonly string[];
  readonly left: readonly { readonly id: string; readonly reason: LeftReason; readonly memoryId: string | null }[];
}

/**
 * What undoing a run as a whole reverts: each change of which nobody changed a memory since. A relation says nothing of a
 * memory, so it goes whatever happened to both ends but their deletion. `undone`: ids of changes that were undone before.
 */
export function planRunUndo(
  changes: readonly WrittenChange[],
  current: ReadonlyMap<string, CurrentMemory>,
  undone: ReadonlySet<string> = new Set(),
): RunUndoPlan {
  const undo: string[] = [];
  const left: RunUndoPlan['left'][number][] = [];
  const memories = new Map(current);
  for (const change of changes.toReversed()) {
    const obstacle = undone.has(change.id)
      ? { reason: 'undone' as const, memoryId: null }
      : findObstacle(change, memories);
    if (obstacle) left.push({ id: change.id, ...obstacle });
    else {
      undo.push(change.id);
      // A later change of the same run is no change by somebody else, once it is undone.
      for (const { memoryId, revisionBefore } of change.memories) {
        if (revisionBefore !== undefined) memories.set(memoryId, { revision: revisionBefore, isDeleted: false });
      }
    }
  }
  return { undo, left };
}

function findObstacle(
  { kind, memories }: WrittenChange,
  current: ReadonlyMap<string, CurrentMemory>,
): { readonly reason: LeftReason; readonly memoryId: string } | null {
  for (const { memoryId, revision } of memories) {
    const memory = current.get(memoryId);
    if (!memory || memory.isDeleted) return { reason: 'deleted_since', memoryId };
    if (kind !== 'link' && memory.revision !== revision) return { reason: 'changed_since', memoryId };
  }
  return null;
}
