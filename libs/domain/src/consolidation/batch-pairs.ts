/** Pairs in one prompt. */
export const MAX_BATCH_PAIRS = 10;

/** Batches of 5 to 10 for one model call each, as equal as possible and in order; fewer than 5 are one batch. */
export function batchPairs<T>(pairs: readonly T[]): T[][] {
  const count = Math.ceil(pairs.length / MAX_BATCH_PAIRS);
  return Array.from({ length: count }, (_, index) =>
    pairs.slice(Math.floor((index * pairs.length) / count), Math.floor(((index + 1) * pairs.length) / count)),
  );
}
