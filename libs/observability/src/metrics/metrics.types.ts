import type { METRICS, MetricName } from './manifest.js';

type NamesOfType<T extends string> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

export type CounterName = NamesOfType<'counter'>;
export type GaugeName = NamesOfType<'gauge'>;
/** What `observe` takes: summaries feed their histogram too, so that histogram is not observed by hand. */
export type ObservableName = Exclude<NamesOfType<'histogram' | 'summary'>, FedHistogram>;

type FedHistogram = {
  [N in MetricName]: (typeof METRICS)[N] extends { histogram: infer H } ? H : never;
}[MetricName];

type DefinedLabels<N extends MetricName> = (typeof METRICS)[N]['labels'];

/** The labels of a metric: words of a closed set, or a string where the set is open. */
export type LabelsOf<N extends MetricName> = {
  readonly [L in keyof DefinedLabels<N>]: DefinedLabels<N>[L] extends readonly (infer Word)[] ? Word : string;
};

type WithoutLabels<N extends MetricName> = keyof DefinedLabels<N> extends never ? true : false;

/** Labels come right after the name; a metric without labels takes none. */
type LabelArgument<N extends MetricName> = WithoutLabels<N> extends true ? [] : [labels: LabelsOf<N>];

export type GaugeReading = { [N in GaugeName]: { metric: N; labels: LabelsOf<N>; value: number } }[GaugeName];

export interface Metrics {
  /** Adds 1. */
  inc<N extends CounterName>(name: N, ...labels: LabelArgument<N>): void;
  /** Adds `amount`, which is not negative. */
  add<N extends CounterName>(name: N, amount: number, ...labels: LabelArgument<N>): void;
  set<N extends GaugeName>(name: N, value: number, ...labels: LabelArgument<N>): void;
  /** Records one observation in the metric's unit. */
  observe<N extends ObservableName>(name: N, value: number, ...labels: LabelArgument<N>): void;
  /**
   * Reads gauges when scraped: one call of `read` per scrape serves all `names`. When it fails, the gauges are left
   * out of that scrape and memory_llm_collect_errors_total counts it.
   */
  collectGauges<N extends GaugeName>(
    names: readonly N[],
    read: () => Promise<readonly Extract<GaugeReading, { metric: N }>[]>,
  ): void;
  /** The text for Prometheus. */
  render(): Promise<{ contentType: string; body: string }>;
}
