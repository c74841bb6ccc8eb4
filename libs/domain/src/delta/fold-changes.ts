import type { ChangeEvent } from '@annals/contracts';
import type { NetChange, ThreadChange } from './types.js';

interface Open extends NetChange {
  /** What it came to before it was deleted; undefined when nothing did. */
  readonly before?: Open | undefined;
}

interface Folding {
  readonly open: Map<string, Open>;
  /** What was made since the caller last looked, gone or not: whenever it comes back, it is new to the caller. */
  readonly born: Set<string>;
}

/**
 * The net effect of changes, in their order: what was made and deleted since is nothing, what was made and changed or came
 * back is made, a statement that took another's place stands for both, and merges are counted in what they ended in.
 */
export function foldChanges(changes: readonly ThreadChange[]): NetChange[] {
  const folding: Folding = { open: new Map(), born: new Set() };
  for (const change of changes) {
    apply(folding, change);
    const { event, memoryId } = folding.open.get(change.mergedInto ?? change.memoryId) ?? {};
    if (event === 'created') folding.born.add(memoryId!);
  }
  return [...folding.open.values()]
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

function apply(folding: Folding, change: ThreadChange): void {
  const { open, born } = folding;
  const { memoryId, replaces } = change;
  const own = open.get(memoryId);
  switch (change.event) {
    case 'created':
      open.set(memoryId, begin(change, isGone(own) ? 'updated' : 'created'));
      break;
    case 'updated':
      update(folding, change, own ?? (replaces === null ? undefined : open.get(replaces)));
      if (replaces !== null) open.delete(replaces);
      break;
    case 'merged':
      open.delete(memoryId);
      merge(folding, change, own);
      break;
    case 'deleted':
    case 'soft_deleted':
      open.delete(memoryId);
      if (own ? own.event === 'created' : born.has(memoryId)) break;
      open.set(memoryId, {
        ...begin(change, change.event),
        content: null,
        before: isGone(own) ? own?.before : own,
      });
      break;
    case 'restored':
      if (!isGone(own)) open.set(memoryId, begin(change, born.has(memoryId) ? 'created' : 'restored'));
      else if (own?.before) open.set(memoryId, own.before);
      else open.delete(memoryId);
  }
}

function update({ open, born }: Folding, change: ThreadChange, earlier: Open | undefined): void {
  const isNew = born.has(change.memoryId) || (change.replaces !== null && born.has(change.replaces));
  const { event = isNew ? 'created' : 'updated' } = earlier ?? {};
  open.set(change.memoryId, {
    ...begin(change, isGone(earlier) ? 'updated' : event),
    merged: earlier?.merged ?? 1,
  });
}

/** Into a memory that was made since, so far as the caller knows neither of both: then it is simply made. */
function merge({ open, born }: Folding, change: ThreadChange, gone: Open | undefined): void {
  const memoryId = change.mergedInto ?? change.memoryId;
  const target = open.get(memoryId);
  const isNew = target?.event === 'created' && born.has(change.memoryId);
  open.set(memoryId, {
    ...begin({ ...change, memoryId }, isNew ? 'created' : 'merged'),
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
