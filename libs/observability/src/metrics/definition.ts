/** The closed set of values of a label, or the reason why an open set of values stays bounded. */
export type LabelValues = readonly string[] | { readonly bounded: string };
type Labels = Readonly<Record<string, LabelValues>>;
type Unit = 'ms' | 'micro-USD' | 'ratio' | 'percent' | 'tokens' | 'count';

export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly unit: Unit;
  readonly labels: Labels;
  /** Histograms: upper bounds in the metric's unit. */
  readonly buckets?: readonly number[];
  /**
   * Summaries: the histogram that records the same observations, because quantiles cannot be aggregated over replicas
   * (docs/reference/logging-and-metrics.md#a-histogram-beside-each-summary).
   */
  readonly histogram?: string;
}

/** From a database statement (under a millisecond) to a slow model answer. */
const LATENCY_BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 150, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];

/** From immediate pickup (a few milliseconds) to a deferral until the next budget day. */
export const WAIT_BUCKETS_MS = [
  1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 300_000, 3_600_000, 86_400_000,
];

export function counter<const L extends Labels>(help: string, labels: L, unit: Unit = 'count') {
  return { type: 'counter', help, unit, labels } as const;
}

export function gauge<const L extends Labels>(help: string, labels: L, unit: Unit = 'count') {
  return { type: 'gauge', help, unit, labels } as const;
}

/** A histogram of durations. */
export function histogram<const L extends Labels>(help: string, labels: L, buckets = LATENCY_BUCKETS_MS) {
  return { type: 'histogram', help, unit: 'ms', labels, buckets } as const;
}

/** A summary of durations, and the name of the histogram that records the same observations. */
export function summary<const H extends string, const L extends Labels>(help: string, sibling: H, labels: L) {
  return { type: 'summary', help, unit: 'ms', histogram: sibling, labels } as const;
}

/** Labels shared by several groups of metrics. */
export const PROVIDER = { bounded: 'the providers in the code: local, claude, openai, hashed, onnx, rerank' } as const;
export const MODEL = { bounded: 'the models named in the configuration' } as const;
export const REASON = { bounded: 'the reasons in the code' } as const;
