/**
 * Work over a long text in slices of at most `MAX_SLICE_UNITS`: it yields after each slice, and whoever runs it decides
 * whether the event loop turns in between. Returns the result.
 */
export type Sliced<Result> = Generator<void, Result>;

/** Most UTF-16 units of a text that are worked on between two yields. */
export const MAX_SLICE_UNITS = 16_384;

/** Runs sliced work to its end in one go: for short texts, and where no event loop waits. */
export function runAtOnce<Result>(work: Sliced<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Runs sliced work and lets the caller's `pause` (a turn of the event loop) pass between two slices. */
export async function runInSlices<Result>(work: Sliced<Result>, pause: () => Promise<void>): Promise<Result> {
  let step = work.next();
  while (!step.done) {
    await pause();
    step = work.next();
  }
  return step.value;
}
