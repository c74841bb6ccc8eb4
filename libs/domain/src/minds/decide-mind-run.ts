/** Runs that failed at one watermark, after which a mind sleeps until it moves (docs/reference/minds.md#convergence). */
export const MAX_MIND_FAILURES = 3;

/** What the last runs about a subject left. `watermark`: null before the first run. */
export interface MindWatermark {
  readonly watermark: string | null;
  /** Runs that failed at this watermark since one did not. */
  readonly failures: number;
}

/** `unchanged`: the last run saw this. `failed`: too many runs failed at it. Both last until the watermark moves. */
export type MindRunDecision = { readonly run: true } | { readonly run: false; readonly reason: 'unchanged' | 'failed' };

/**
 * Decides before anything is read or costs something whether a run can find anything new
 * (docs/reference/minds.md#convergence). `stored`: null when no run was about this subject yet.
 */
export function decideMindRun(watermark: string, stored: MindWatermark | null): MindRunDecision {
  if (stored?.watermark !== watermark) return { run: true };
  if (stored.failures === 0) return { run: false, reason: 'unchanged' };
  return stored.failures < MAX_MIND_FAILURES ? { run: true } : { run: false, reason: 'failed' };
}

/** What is stored after a run that failed at `watermark`. */
export function countMindFailure(watermark: string, stored: MindWatermark | null): MindWatermark {
  return { watermark, failures: stored?.watermark === watermark ? stored.failures + 1 : 1 };
}
