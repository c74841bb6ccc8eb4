import type { ChangeEvent } from '@annals/contracts';
import type { NetChange, ThreadChange } from './types.js';

interface Open extends NetChange {
  /** What it came to before it was deleted; undefined when nothing did. */
  readonly before?: Open | undefined;
}

/**
 * The net effect of changes, in their order: what was made and deleted since is nothing, what was made and changed is
 * made, a statement that took another's place stands for both, and merges are counted in what they ended in.
 */
export function foldChanges(changes: readonly ThreadChange[]): NetChange[] {
  const open = new Map<string, Open>();
  for (const change of changes) apply(open, change);
  return [...open.values()]
    .toSorted(compareTimes)
    .map(({ event, memoryId, category, importance, content, merged, revision, n }) => ({
      event,
      memoryId,
      category,
      importance,
      content,
      merged,
      revision,
      n,
    }));
}

function apply(open: Map<string, Open>, change: ThreadChange): void {
  const { memoryId, mergedInto, replaces } = change;
  const own = open.get(memoryId);
  switch (change.event) {
    case 'created':
      open.set(memoryId, begin(change, isGone(own) ? 'updated' : 'created'));
      break;
    case 'updated':
      update(open, change, own ?? (replaces === null ? undefined : open.get(replaces)));
      if (replaces !== null) open.delete(replaces);
      break;
    case 'merged':
      open.delete(memoryId);
      merge(open, { ...change, memoryId: mergedInto ?? memoryId }, own);
      break;
    case 'deleted':
    case 'soft_deleted':
      open.delete(memoryId);
      if (own?.event !== 'created') open.set(memoryId, { ...begin(change, change.event), content: null, before: own });
      break;
    case 'restored':
      if (!isGone(own)) open.set(memoryId, begin(change, 'restored'));
      else if (own?.before) open.set(memoryId, own.before);
      else open.delete(memoryId);
  }
}

function update(open: Map<string, Open>, change: ThreadChange, earlier: Open | undefined): void {
  const keeps = earlier && !isGone(earlier) && earlier.event !== 'updated';
  open.set(change.memoryId, {
    ...begin(change, keeps ? earlier.event : 'updated'),
    merged: earlier?.merged ?? 1,
  });
}

/** Into a memory that was made since, so far as the caller knows neither of both: then it is simply made. */
function merge(open: Map<string, Open>, change: ThreadChange, gone: Open | undefined): void {
  const target = open.get(change.memoryId);
  const isNew = target?.event === 'created' && gone?.event === 'created';
  open.set(change.memoryId, {
    ...begin(change, isNew ? 'created' : 'merged'),
    content: change.content ?? target?.content ?? null,
    merged: (target?.merged ?? 1) + (gone?.merged ?? 1),
  });
}

function begin(change: ThreadChange, event: ChangeEvent): Open {
  const { memoryId, category, importance, content, revision, n } = change;
  return { event, memoryId, category, importance, content, merged: 1, revision, n };
}

function isGone(entry: Open | undefined): boolean {
  return entry?.event === 'deleted' || entry?.event === 'soft_deleted';
}

function compareTimes(a: NetChange, b: NetChange): number {
  return a.revision - b.revision || a.n - b.n;
}
