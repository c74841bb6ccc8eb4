import type { MetricDefinition } from './definition.js';
import { METRICS } from './manifest.js';

const metrics: [string, MetricDefinition][] = Object.entries(METRICS);

describe('the metrics manifest', () => {
  it.each(metrics)('%s follows the naming and help text conventions', (name, { type, help }) => {
    expect(name).toMatch(/^memory_llm_[a-z]+(_[a-z]+)*$/);
    expect(help).toMatch(/\.$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name.endsWith('_summary')).toBe(type === 'summary');
  });

  it.each(metrics)('%s has no label that Prometheus replaces with its own', (_name, { labels }) => {
    expect(Object.keys(labels)).not.toEqual(expect.arrayContaining(['job']));
    expect(Object.keys(labels)).not.toEqual(expect.arrayContaining(['instance']));
  });

  it.each(metrics.filter(([, { type }]) => type === 'summary'))(
    '%s has a histogram with the same labels and unit',
    (_name, summary) => {
      const histogram = metrics.find(([name]) => name === summary.histogram)?.[1];
      expect(histogram).toMatchObject({ type: 'histogram', unit: summary.unit, labels: summary.labels });
    },
  );

  it.each(metrics.filter(([, { type }]) => type === 'histogram'))(
    '%s has strictly increasing buckets',
    (_name, { buckets = [] }) => {
      expect(buckets.length).toBeGreaterThan(3);
      expect(buckets).toEqual([...new Set(buckets)].toSorted((a, b) => a - b));
    },
  );

  it('lists the steps of extraction latency', () => {
    expect(METRICS.memory_llm_latency_ms_summary.labels.operation).toEqual([
      'provider_call',
      'parsing',
      'total',
      'first_token',
    ]);
  });
});
