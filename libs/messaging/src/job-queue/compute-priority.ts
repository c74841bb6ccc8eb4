import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';

/** The position of a job among the jobs of its tenant. */
export interface JobPosition {
  /** Number of jobs of its tenant that are on the queue or released before it. */
  readonly lane: number;
  /** Yields to interactive work. */
  readonly bulk: boolean;
}

/** One lane further back lowers the priority as much as being released this much later. */
const STEP_MS = 2_000;
const BULK_STEPS = INTERACTIVE_PRIORITY_BOOST_MS / STEP_MS;
/** The highest number of BullMQ, which is its lowest priority; 0 would be taken before everything. */
const MAX_PRIORITY = 2 ** 21;

/**
 * The priority of a job for BullMQ, the smallest number first (docs/reference/queues.md#priority-and-ageing). The
 * hundredth job of a tenant comes after the first job of every other tenant, so a flood delays others only by the calls
 * that already run; and since time counts as well (ageing), no job waits forever. The number starts again at 1 after 48
 * days: then older jobs are taken after newer ones.
 */
export function computeJobPriority(now: number, { lane, bulk }: JobPosition): number {
  const steps = Math.floor(now / STEP_MS) + lane + (bulk ? BULK_STEPS : 0);
  return 1 + (steps % MAX_PRIORITY);
}
