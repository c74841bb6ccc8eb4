import type { ChangeEvent } from '@annals/contracts';
import type { NetChange, ThreadChange } from './thread-changes.js';

interface PendingChange extends NetChange {
  /** The pending change before the deletion; undefined when there was none. */
  readonly before?: PendingChange | undefined;
}

interface NetChangeState {
  readonly pending: Map<string, PendingChange>;
  /** Memories created since the caller's revision, deleted or not: when one is restored, it is new to the caller. */
  readonly createdIds: Set<string>;
}

/**
 * The net effect of changes, in their order: created and deleted cancel out, created and updated or restored is
 * created, a memory that replaces another one represents both, and merges are counted at their final target.
 */
export function computeNetChanges(changes: readonly ThreadChange[]): NetChange[] {
  const state: NetChangeState = { pending: new Map(), createdIds: new Set() };
  for (const change of changes) {
    apply(state, change);
    const { event, memoryId } = state.pending.get(change.mergedInto ?? change.memoryId) ?? {};
    if (event === 'created') state.createdIds.add(memoryId!);
  }
  return [...state.pending.values()].toSorted(compareTimes).map(({ before: _before, ...change }) => change);
}

function apply(state: NetChangeState, change: ThreadChange): void {
  const { pending, createdIds } = state;
  const { memoryId, replaces } = change;
  const own = pending.get(memoryId);
  switch (change.event) {
    case 'created':
      pending.set(memoryId, toPendingChange(change, isGone(own) ? 'updated' : 'created'));
      break;
    case 'updated':
      update(state, change, own ?? (replaces === null ? undefined : pending.get(replaces)));
      if (replaces !== null) pending.delete(replaces);
      break;
    case 'merged':
      pending.delete(memoryId);
      merge(state, change, own);
      break;
    case 'deleted':
    case 'soft_deleted':
    case 'evicted':
      pending.delete(memoryId);
      if (own ? own.event === 'created' : createdIds.has(memoryId)) break;
      pending.set(memoryId, {
        ...toPendingChange(change, change.event),
        content: null,
        before: isGone(own) ? own?.before : own,
      });
      break;
    case 'restored':
      if (!isGone(own))
        pending.set(memoryId, toPendingChange(change, createdIds.has(memoryId) ? 'created' : 'restored'));
      else if (own?.before) pending.set(memoryId, own.before);
      else pending.delete(memoryId);
  }
}

function update(
  { pending, createdIds }: NetChangeState,
  change: ThreadChange,
  earlier: PendingChange | undefined,
): void {
  const isNew = createdIds.has(change.memoryId) || (change.replaces !== null && createdIds.has(change.replaces));
  const { event = isNew ? 'created' : 'updated' } = earlier ?? {};
  pending.set(change.memoryId, {
    ...toPendingChange(change, isGone(earlier) ? 'updated' : event),
    merged: earlier?.merged ?? 1,
  });
}

/** When the caller knows neither memory, the target is reported as created. */
function merge({ pending, createdIds }: NetChangeState, change: ThreadChange, gone: PendingChange | undefined): void {
  const memoryId = change.mergedInto ?? change.memoryId;
  const target = pending.get(memoryId);
  const isNew = target?.event === 'created' && createdIds.has(change.memoryId);
  pending.set(memoryId, {
    ...toPendingChange({ ...change, memoryId }, isNew ? 'created' : 'merged'),
    content: change.content ?? target?.content ?? null,
    merged: (target?.merged ?? 1) + (gone?.merged ?? 1),
  });
}

function toPendingChange(change: ThreadChange, event: ChangeEvent): PendingChange {
  const { memoryId, category, importance, content, revision, n } = change;
  return { event, memoryId, category, importance, content, merged: 1, revision, n };
}

function isGone(entry: PendingChange | undefined): boolean {
  return entry !== undefined && isDeletion(entry.event);
}

/** Whether the memory is no longer served after a change of this kind. */
export function isDeletion(event: ChangeEvent): boolean {
  return event === 'deleted' || event === 'soft_deleted' || event === 'evicted';
}

function compareTimes(a: NetChange, b: NetChange): number {
  return a.revision - b.revision || a.n - b.n;
}
