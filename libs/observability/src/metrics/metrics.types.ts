import type { METRICS, MetricName } from './manifest.js';

type NamesOfType<T extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

type CounterName = NamesOfType<'counter'>;
type GaugeName = NamesOfType<'gauge'>;
/**
 * Metrics that `observe` accepts. A histogram that belongs to a summary is not among them: observing the summary also
 * observes the histogram.
 */
type ObservableName = Exclude<NamesOfType<'histogram' | 'summary'>, FedHistogram>;

type FedHistogram = {
  [N in MetricName]: (typeof METRICS)[N] extends { histogram: infer H } ? H : never;
}[MetricName];

type DefinedLabels<N extends MetricName> = (typeof METRICS)[N]['labels'];

/** The labels of a metric: a union of strings where the set of values is closed, otherwise `string`. */
type LabelsOf<N extends MetricName> = {
  readonly [L in keyof DefinedLabels<N>]: DefinedLabels<N>[L] extends readonly (infer Value)[] ? Value : string;
};

type WithoutLabels<N extends MetricName> = keyof DefinedLabels<N> extends never ? true : false;

/** Labels follow the name; a metric without labels takes none. */
type LabelArgument<N extends MetricName> = WithoutLabels<N> extends true ? [] : [labels: LabelsOf<N>];

export type GaugeReading = { [N in GaugeName]: { metric: N; labels: LabelsOf<N>; value: number } }[GaugeName];

export interface Metrics {
  /** Adds 1. */
  inc<N extends CounterName>(name: N, ...labels: LabelArgument<N>): void;
  /** Adds `amount`, which must not be negative. */
  add<N extends CounterName>(name: N, amount: number, ...labels: LabelArgument<N>): void;
  set<N extends GaugeName>(name: N, value: number, ...labels: LabelArgument<N>): void;
  /** Records one observation in the metric's unit. */
  observe<N extends ObservableName>(name: N, value: number, ...labels: LabelArgument<N>): void;
  /**
   * Reads gauges when scraped: `read` is called once per scrape for all `names`. If it fails, these gauges are left out
   * of that scrape and memory_llm_collect_errors_total is incremented.
   */
  collectGauges<N extends GaugeName>(
    names: readonly N[],
    read: () => Promise<readonly Extract<GaugeReading, { metric: N }>[]>,
  ): void;
  /** The metrics in the Prometheus text format. */
  render(): Promise<{ contentType: string; body: string }>;
}
