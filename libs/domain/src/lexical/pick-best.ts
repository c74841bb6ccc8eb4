/** The best positions for which `counts` is true, best first; equal scores by position. A heap, no full sort. */
export function pickBest(scores: Float64Array, limit: number, counts: (position: number) => boolean): number[] {
  const heap: number[] = [];
  // Whether `a` is worse than `b`: the root of the heap is the worst of the best so far.
  const isWorse = (a: number, b: number) => {
    const difference = scores[a]! - scores[b]!;
    return difference < 0 || (difference === 0 && a > b);
  };
  for (let position = 0; position < scores.length; position++) {
    if (scores[position]! <= 0 || !counts(position)) continue;
    if (heap.length < limit) {
      heap.push(position);
      siftUp(heap, heap.length - 1, isWorse);
    } else if (limit > 0 && isWorse(heap[0]!, position)) {
      heap[0] = position;
      siftDown(heap, isWorse);
    }
  }
  return heap.toSorted((a, b) => (isWorse(a, b) ? 1 : -1));
}

type Compare = (a: number, b: number) => boolean;

function siftUp(heap: number[], from: number, isWorse: Compare): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap[at]!, heap[parent]!)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown(heap: number[], isWorse: Compare): void {
  let at = 0;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isWorse(heap[child]!, heap[worst]!)) worst = child;
    }
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b]!, heap[a]!];
}
