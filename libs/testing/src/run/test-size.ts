import { randomInt } from 'node:crypto';

/** Whether this is `npm run test:soak`, in which tests may take minutes. */
export const isSoak = process.env['ANNALS_TEST_SIZE'] === 'soak';
/** The seed outside of the soak lane, so that each run does the same. */
const PINNED_SEED = 20_260;

/** A size or number for a test: `small` in ordinary runs, `full` in `npm run test:soak`, whose figures are cited. */
export function sized<T>(small: T, full: T): T {
  return isSoak ? full : small;
}

/**
 * Values of one dimension of a matrix: in ordinary runs every second one, and with the next `turn` the others; in
 * `npm run test:soak` all of them.
 */
export function takeTurns<T>(values: readonly T[], turn: number): readonly T[] {
  return sized(
    values.filter((_, index) => index % 2 === turn % 2),
    values,
  );
}

/**
 * Seed of random faults: FAULT_SEED if it is set, a random one in `npm run test:soak`, otherwise always the same. Name
 * it in the title of the test, so that a failure can be reproduced.
 */
export const TEST_SEED = Number(process.env['FAULT_SEED'] ?? (isSoak ? randomInt(1_000_000) : PINNED_SEED));
