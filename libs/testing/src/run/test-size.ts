import { randomInt } from 'node:crypto';

/** Whether this is `npm run test:soak`, which has time for real minutes. */
export const isSoak = process.env['ANNALS_TEST_SIZE'] === 'soak';
/** The seed of every change's run, so that it does the same each time. */
const PINNED_SEED = 20_260;

/** How much of something a test does: `small` for every change, `full` in `npm run test:soak`, whose figures are cited. */
export function sized<T>(small: T, full: T): T {
  return isSoak ? full : small;
}

/**
 * What random faults begin with: FAULT_SEED where it is set, a new one in `npm run test:soak`, else always the same. Name
 * it in the title of the test, so that a failure can be seen again.
 */
export const TEST_SEED = Number(process.env['FAULT_SEED'] ?? (isSoak ? randomInt(1_000_000) : PINNED_SEED));
