import { diffChars } from 'diff';

/** `before.slice(beforeStart, beforeEnd)` became `after.slice(afterStart, afterEnd)`. */
export interface TextChange {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Maximum number of inserted and removed characters; limits time and memory. */
const MAX_EDITS = 2_000;

/**
 * Computes the ranges in which `after` differs from `before`, in order, in UTF-16 units, with the minimum number of
 * inserted and removed characters. Null when that takes more than 2,000 characters.
 */
export function diffText(before: string, after: string): TextChange[] | null {
  // Of several minimal differences the earliest is chosen between a common start and a common end: without the latter,
  // a bracket that was appended could count as inserted before an equal one.
  const start = countCommonStart(before, after);
  const end = countCommonEnd(before, after, start);
  const parts = diffChars(before.slice(start, before.length - end), after.slice(start, after.length - end), {
    maxEditLength: MAX_EDITS,
  });
  if (!parts) return null;
  const changes: TextChange[] = [];
  let beforeEnd = start;
  let afterEnd = start;
  for (const { value, added, removed } of parts) {
    const position = { beforeStart: beforeEnd, afterStart: afterEnd };
    if (!added) beforeEnd += value.length;
    if (!removed) afterEnd += value.length;
    if (!added && !removed) continue;
    // A replacement comes as two parts, a removal and an insertion.
    const last = changes.at(-1);
    const isContinued = last?.beforeEnd === position.beforeStart && last.afterEnd === position.afterStart;
    changes.push({ ...(isContinued ? changes.pop()! : position), beforeEnd, afterEnd });
  }
  return changes;
}

function countCommonStart(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}

function countCommonEnd(a: string, b: string, from: number): number {
  const limit = Math.min(a.length, b.length) - from;
  let count = 0;
  while (count < limit && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}
