/**
 * A range in which two texts differ: `before.slice(beforeStart, beforeEnd)` became `after.slice(afterStart, afterEnd)`.
 */
export interface TextChange {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Maximum number of inserted and removed characters; limits time and memory (about 16 MB). */
const MAX_EDITS = 2_000;

/**
 * Computes the ranges in which `after` differs from `before`, in order, with the minimum number of inserted and removed
 * characters (Myers 1986, "An O(ND) Difference Algorithm"). Null when that takes more than 2,000 characters.
 */
export function diffText(before: string, after: string): TextChange[] | null {
  const prefix = countCommon(before, after, 0, 1);
  const suffix = countCommon(before, after, prefix, -1);
  const traces = searchEdits(before.slice(prefix, before.length - suffix), after.slice(prefix, after.length - suffix));
  return traces && traceChanges(traces, before.length - suffix - prefix, after.length - suffix - prefix, prefix);
}

function countCommon(before: string, after: string, taken: number, step: 1 | -1): number {
  const limit = Math.min(before.length, after.length) - taken;
  let count = 0;
  if (step === 1) while (count < limit && before.charCodeAt(count) === after.charCodeAt(count)) count += 1;
  else
    while (count < limit && before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count))
      count += 1;
  return count;
}

/** For each number of edits d, how far each diagonal −d…d reaches in `before`; index k + d + 1 is diagonal k. */
function searchEdits(before: string, after: string): Int32Array[] | null {
  const traces: Int32Array[] = [];
  let reach = new Int32Array(3);
  for (let d = 0; d <= MAX_EDITS; d += 1) {
    const next = new Int32Array(2 * d + 5);
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : stepTo(reach, d, k);
      while (x < before.length && x - k < after.length && before.charCodeAt(x) === after.charCodeAt(x - k)) x += 1;
      next[k + d + 2] = x;
      if (x >= before.length && x - k >= after.length) {
        traces.push(next);
        return traces;
      }
    }
    traces.push(next);
    reach = next;
  }
  return null;
}

// `reach` belongs to d − 1, so diagonal k is at index k + (d − 1) + 2. A removal comes from k − 1, an insertion from k
// + 1.
function stepTo(reach: Int32Array, d: number, k: number): number {
  const removed = reach[k - 1 + d + 1]! + 1;
  const inserted = reach[k + 1 + d + 1]!;
  return comesFromInsertion(reach, d, k) ? inserted : removed;
}

function comesFromInsertion(reach: Int32Array, d: number, k: number): boolean {
  return k === -d || (k !== d && reach[k - 1 + d + 1]! < reach[k + 1 + d + 1]!);
}

function traceChanges(
  traces: readonly Int32Array[],
  beforeEnd: number,
  afterEnd: number,
  offset: number,
): TextChange[] {
  const changes: TextChange[] = [];
  let x = beforeEnd;
  let y = afterEnd;
  for (let d = traces.length - 1; d > 0; d -= 1) {
    const reach = traces[d - 1]!;
    const isInsertion = comesFromInsertion(reach, d, x - y);
    const fromX = reach[(isInsertion ? x - y + 1 : x - y - 1) + d + 1]!;
    const fromY = fromX - (isInsertion ? x - y + 1 : x - y - 1);
    const toX = isInsertion ? fromX : fromX + 1;
    const toY = isInsertion ? fromY + 1 : fromY;
    addChange(changes, { beforeStart: fromX, beforeEnd: toX, afterStart: fromY, afterEnd: toY });
    x = fromX;
    y = fromY;
  }
  return changes.toReversed().map((change) => shift(change, offset));
}

// Changes arrive from last to first; adjacent ones are merged into one.
function addChange(changes: TextChange[], change: TextChange): void {
  const next = changes.at(-1);
  if (next && next.beforeStart === change.beforeEnd && next.afterStart === change.afterEnd) {
    changes[changes.length - 1] = { ...next, beforeStart: change.beforeStart, afterStart: change.afterStart };
  } else {
    changes.push(change);
  }
}

function shift(change: TextChange, by: number): TextChange {
  return {
    beforeStart: change.beforeStart + by,
    beforeEnd: change.beforeEnd + by,
    afterStart: change.afterStart + by,
    afterEnd: change.afterEnd + by,
  };
}
