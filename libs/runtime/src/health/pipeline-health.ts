/**
 * Readiness fails when the last finished batches, at least five within five minutes, all failed
 * (docs/reference/batches.md#readiness-fails-when-every-batch-fails).
 */
export const PIPELINE_WINDOW_MS = 5 * 60_000;
const MIN_FAILED = 5;

/** How many batches ended, and how, within the window. */
export interface BatchOutcomes {
  readonly done: number;
  readonly failed: number;
}

/** True when every recent batch failed; a pipeline that is idle or has successes is healthy. */
export function isPipelineFailing({ done, failed }: BatchOutcomes): boolean {
  return done === 0 && failed >= MIN_FAILED;
}
