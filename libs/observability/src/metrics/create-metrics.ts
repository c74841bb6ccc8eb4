import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';
import type { MetricDefinition } from './definition.js';
import { createGaugeCollector } from './gauge-collector.js';
import { METRICS, type MetricName } from './manifest.js';
import type { Metrics } from './metrics.types.js';

export interface MetricsOptions {
  readonly service: string;
  readonly version: string;
  /** Whether to register the process metrics of prom-client; off in tests that create many instances. Default true. */
  readonly processMetrics?: boolean;
}

type Labels = Readonly<Record<string, string>>;

/** Summaries drop observations older than ten minutes, so that quantiles describe the current situation. */
const SUMMARY_WINDOW = { maxAgeSeconds: 600, ageBuckets: 5, percentiles: [0.5, 0.9, 0.95, 0.99] };
/**
 * Counters with at most this many label sets are initialised to 0, because a rate misses the first increment of a new
 * series.
 */
const MAX_SERIES_STARTED_AT_ZERO = 32;

/** Registers the whole manifest in a separate registry, so that several apps can run in one process. */
export function createMetrics({ service, version, processMetrics = true }: MetricsOptions): Metrics {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const observers = new Map<string, (labels: Labels, value: number) => void>();
  const collector = createGaugeCollector(gauges, (metric) =>
    getCounter('memory_llm_collect_errors_total').inc({ metric }),
  );

  for (const [name, definition] of definitions()) register(name, definition);
  linkHistograms();
  if (processMetrics) collectDefaultMetrics({ register: registry, prefix: 'memory_llm_process_' });

  const metrics: Metrics = {
    inc: (name, ...[labels]) => getCounter(name).inc({ ...labels }),
    add: (name, amount, ...[labels]) => getCounter(name).inc({ ...labels }, amount),
    set: (name, value, ...[labels]) => getGauge(name).set({ ...labels }, value),
    observe: (name, value, ...[labels]) => observers.get(name)?.({ ...labels }, value),
    collectGauges(names, read) {
      for (const metric of names) getCounter('memory_llm_collect_errors_total').inc({ metric }, 0);
      collector.add(names, read);
    },
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
  metrics.set('memory_llm_build_info', 1, { service, version, node_version: process.versions.node });
  metrics.collectGauges(['memory_llm_junk_rate'], computeJunkRate);
  return metrics;

  function register(name: string, definition: MetricDefinition): void {
    const common = { name, help: definition.help, labelNames: Object.keys(definition.labels), registers: [registry] };
    switch (definition.type) {
      case 'counter': {
        const counter = new Counter(common);
        counters.set(name, counter);
        for (const labels of listClosedLabelSets(definition)) counter.inc(labels, 0);
        return;
      }
      case 'gauge':
        gauges.set(name, new Gauge({ ...common, collect: () => collector.collect(name) }));
        return;
      case 'histogram': {
        const histogram = new Histogram({ ...common, buckets: [...(definition.buckets ?? [])] });
        observers.set(name, (labels, value) => histogram.observe(labels, value));
        return;
      }
      case 'summary': {
        const summary = new Summary({ ...common, ...SUMMARY_WINDOW });
        observers.set(name, (labels, value) => summary.observe(labels, value));
        return;
      }
    }
  }

  function linkHistograms(): void {
    for (const [name, { histogram }] of definitions()) {
      const observeSummary = observers.get(name);
      const observeHistogram = histogram === undefined ? undefined : observers.get(histogram);
      if (!observeSummary || !observeHistogram) continue;
      observers.set(name, (labels, value) => {
        observeSummary(labels, value);
        observeHistogram(labels, value);
      });
    }
  }

  function getCounter(name: MetricName): Counter {
    return counters.get(name) ?? failUnregistered(name);
  }

  function getGauge(name: MetricName): Gauge {
    return gauges.get(name) ?? failUnregistered(name);
  }

  async function computeJunkRate() {
    const [junk, extracted] = await Promise.all([
      sumValues(getCounter('memory_llm_memories_junk_total')),
      sumValues(getCounter('memory_llm_memories_extracted_total')),
    ]);
    return [{ metric: 'memory_llm_junk_rate' as const, labels: {}, value: extracted === 0 ? 0 : junk / extracted }];
  }
}

function definitions(): [string, MetricDefinition][] {
  return Object.entries(METRICS);
}

async function sumValues(counter: Counter): Promise<number> {
  const { values } = await counter.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

function listClosedLabelSets({ labels }: MetricDefinition): Labels[] {
  let sets: Labels[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (!Array.isArray(values)) return [];
    sets = sets.flatMap((set) => values.map((value: string) => ({ ...set, [label]: value })));
  }
  return sets.length <= MAX_SERIES_STARTED_AT_ZERO ? sets : [];
}

function failUnregistered(name: string): never {
  throw new Error(`The metric ${name} is not registered: add it to the manifest with the right type.`);
}
