/** See docs/reference/insights.md#when-a-run-is-due. */
export const INSIGHT_INTERVAL_MS = 24 * 60 * 60 * 1_000;
/** Failed runs at one watermark; then nothing is asked until it moves. */
const MAX_FAILURES = 3;

/** What is known of a user before anything is read; times are epoch ms. */
export interface InsightState {
  /** Of the user context, else the tenant's default. */
  readonly isOn: boolean;
  /**
   * Moves with each message, memory and deletion of the person. It is taken when a run has ended, after its own writes:
   * a run must not be the reason for the next one.
   */
  readonly watermark: string;
  readonly lastWatermark: string | null;
  /** Runs that failed at `lastWatermark`. */
  readonly failures: number;
  /** End of the last run that did not fail; null before the first one. */
  readonly lastRunAt: number | null;
}

/** `until`: when a run is due if nothing else changes. */
export type InsightRunDecision =
  | { readonly run: true }
  | { readonly run: false; readonly reason: 'off' | 'unchanged' | 'failed' }
  | { readonly run: false; readonly reason: 'recent'; readonly until: number };

/** Decides without a model, and before any message is read, whether a run is due. */
export function decideInsightRun(state: InsightState, now: number): InsightRunDecision {
  const { isOn, watermark, lastWatermark, failures, lastRunAt } = state;
  if (!isOn) return { run: false, reason: 'off' };
  if (watermark === lastWatermark && failures === 0) return { run: false, reason: 'unchanged' };
  if (watermark === lastWatermark && failures >= MAX_FAILURES) return { run: false, reason: 'failed' };
  const until = (lastRunAt ?? -Infinity) + INSIGHT_INTERVAL_MS;
  return now < until ? { run: false, reason: 'recent', until } : { run: true };
}
