import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';

/** Where a job stands among its tenant's work. */
export interface JobPosition {
  /** How many jobs of its tenant are on the queue or released before it. */
  readonly lane: number;
  /** Gives way to interactive work. */
  readonly bulk: boolean;
}

/** One position further back in its tenant's line, or this much later: both weigh the same. */
const STEP_MS = 2_000;
const BULK_STEPS = INTERACTIVE_PRIORITY_BOOST_MS / STEP_MS;
/** BullMQ's highest number, which is its lowest priority; 0 would go before everything. */
const MAX_PRIORITY = 2 ** 21;

/**
 * A job's priority for BullMQ, the smallest number first (docs/reference/queues.md#priority-and-ageing). A tenant's
 * hundredth job stands behind every other tenant's first, so a flood costs others no more than the calls that already
 * run; and since time counts as well, whatever waits comes first in the end. Starts again at 1 after 48 days: then jobs
 * from before let newer ones pass.
 */
export function computeJobPriority(now: number, { lane, bulk }: JobPosition): number {
  const steps = Math.floor(now / STEP_MS) + lane + (bulk ? BULK_STEPS : 0);
  return 1 + (steps % MAX_PRIORITY);
}
