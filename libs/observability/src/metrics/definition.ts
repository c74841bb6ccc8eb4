/** The closed set of values of a label, or the reason why an open set of values stays bounded. */
export type LabelValues = readonly string[] | { readonly bounded: string };

export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly unit: 'ms' | 'micro-USD' | 'ratio' | 'percent' | 'tokens' | 'count';
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Histograms: upper bounds in the metric's unit. */
  readonly buckets?: readonly number[];
  /**
   * Summaries: the histogram that records the same observations, because quantiles cannot be aggregated over replicas
   * (docs/reference/logging-and-metrics.md#a-histogram-beside-each-summary).
   */
  readonly histogram?: string;
}

/** From a database statement (under a millisecond) to a slow model answer. */
export const LATENCY_BUCKETS_MS = [
  1, 2.5, 5, 10, 25, 50, 100, 150, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
] as const;

/** From immediate pickup (a few milliseconds) to a deferral until the next budget day. */
export const WAIT_BUCKETS_MS = [
  1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 300_000, 3_600_000, 86_400_000,
] as const;
