import { hashContent } from '../hash/content-hash.js';
import { mergeContext } from '../merge/merge-fields.js';
import { findConflicts, timeStatement } from './conflicts.js';
import { changeValidTo, isCurrent } from './memory-row.js';
import { SAME_MEANING } from './plan-comparison.js';
import type { ChangeResult, MemoryChange, NewMemory, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** Reason in the history of a memory that replaces two that state one fact. */
export const MERGED_FROM = 'merged';

type Merge = Extract<MemoryChange, { kind: 'merge' }>;

/**
 * Plans that one memory takes the place of two that state one fact: it has the sources of both, and neither ever holds
 * beside it, in no query about the past either. Nothing is changed (`unchanged`) when the text is current already or
 * contradicts what is.
 */
export function planMerge(set: WorkingSet, change: Merge): ChangeResult {
  const { memoryId, other } = change;
  const [first, second] = [set.find(memoryId), set.find(other.memoryId)];
  if (!first || !second) return { outcome: 'not_found', memoryId };
  if (!isCurrent(first) || !isCurrent(second)) return { outcome: 'not_current', memoryId };
  if (set.storedRevision(second.id) !== other.revision) return { outcome: 'revision_conflict', memoryId };
  if (first.id === second.id) return { outcome: 'unchanged', memoryId };
  const parts = [first, second];
  const memory = composeMemory(set, first, second, change);
  const others = (row: StoredMemory) => isCurrent(row) && !parts.some(({ id }) => id === row.id);
  const isKnown = set.withHash(hashContent(memory.content)).some(others);
  const isOpposed = findConflicts(set, timeStatement(memory)).some(({ row }) => others(row));
  if (isKnown || isOpposed) return { outcome: 'unchanged', memoryId };
  const merged = set.insert(memory);
  const worded = parts.find(({ content }) => content === merged.content);
  if (worded) set.shareVectors(worded.id, merged.id);
  for (const part of parts) {
    set.copySources(part.id, merged.id);
    const closed = set.close(part, merged.id, part.validFrom);
    set.record(closed, 'MERGE', { oldRef: part.id, newRef: merged.id, meta: { reason: SAME_MEANING } });
  }
  set.record(merged, 'ADD', { oldRef: memoryId, meta: { reason: MERGED_FROM } });
  set.logChange(merged, 'updated', undefined, { replaces: memoryId });
  set.logChange(set.find(second.id)!, 'merged', undefined, { mergedInto: merged.id });
  return { outcome: 'merged', memoryId: merged.id };
}

function composeMemory(
  set: WorkingSet,
  first: StoredMemory,
  second: StoredMemory,
  { content, importance, validFrom, model }: Merge,
): NewMemory {
  const said = [first, second].flatMap(({ id, validFrom: begins }) => set.saidTimes(id).at(-1) ?? begins);
  return {
    ...mergeContext(first, second, second.confidence > first.confidence),
    content,
    category: first.category,
    type: first.type,
    origin: [first, second].every(({ origin }) => origin === 'extraction') ? 'extraction' : 'manual',
    importance,
    confidence: Math.max(first.confidence, second.confidence),
    pinned: false,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
    costMicroUsd: 0,
    quarantineReason: null,
    validFrom,
    validTo: null,
    saidAt: Math.max(...said),
    sources: [],
  };
}

/**
 * Plans the end of a merged memory: those that were merged into it hold as it did. Nothing that was said is over, so its
 * deletion hides no turn that a memory is still based on. A change like an undo, which can be undone.
 */
export function planSplit(set: WorkingSet, memoryId: string): ChangeResult {
  const merged = set.find(memoryId);
  if (!merged) return { outcome: 'not_found', memoryId };
  if (merged.state === 'soft_deleted') return { outcome: 'unchanged', memoryId };
  const parts = set.mergedInto(memoryId).filter((row) => row.supersededBy === memoryId && row.state === 'active');
  if (parts.length === 0) return { outcome: 'not_undoable', memoryId };
  const { validTo, supersededBy } = merged;
  const deletion = { state: 'soft_deleted', deletedAt: set.now, deletedBy: 'undo', purgeAt: set.purgeAt } as const;
  const deleted = set.update(merged, deletion);
  set.record(deleted, 'UNDO', { meta: { undone: 'ADD', reason: SAME_MEANING } });
  for (const part of parts) {
    const duplicate = isCurrent(merged)
      ? set.withHash(part.hash).find((row) => isCurrent(row) && row.id !== part.id)
      : undefined;
    const end = duplicate ? {} : changeValidTo(part, validTo, set.now);
    const back = set.update(part, { ...end, supersededBy: duplicate?.id ?? supersededBy });
    set.record(back, 'UNDO', { meta: { undone: 'MERGE' } });
    if (isCurrent(back)) set.logChange(back, 'updated', undefined, { replaces: memoryId });
  }
  const isReplaced = parts.some(({ id }) => isCurrent(set.find(id)!));
  if (!isReplaced) set.logChange(deleted, 'deleted');
  return { outcome: 'undone', memoryId };
}
