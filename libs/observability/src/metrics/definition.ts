/** A label: the closed set of its values, or the reason why an open one cannot grow without bound. */
export type LabelValues = readonly string[] | { readonly bounded: string };

export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly unit: 'ms' | 'micro-USD' | 'ratio' | 'percent' | 'tokens' | 'count';
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Histograms: upper bounds in the metric's unit. */
  readonly buckets?: readonly number[];
  /**
   * Summaries: the histogram fed by the same observation, since quantiles cannot be added up over replicas
   * (docs/reference/logging-and-metrics.md#a-histogram-beside-each-summary).
   */
  readonly histogram?: string;
}

/** From a database statement (under a millisecond) to a slow answer of a model. */
export const LATENCY_BUCKETS_MS = [
  1, 2.5, 5, 10, 25, 50, 100, 150, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
] as const;

/** From a pickup of a few milliseconds to work that waited for the next budget window (a day). */
export const WAIT_BUCKETS_MS = [
  1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 300_000, 3_600_000, 86_400_000,
] as const;
