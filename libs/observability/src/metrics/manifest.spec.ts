import type { MetricDefinition } from './definition.js';
import { METRICS } from './manifest.js';

const metrics: [string, MetricDefinition][] = Object.entries(METRICS);

describe('the metrics manifest', () => {
  it.each(metrics)('%s is named and described by the rules', (name, { type, help }) => {
    expect(name).toMatch(/^memory_llm_[a-z]+(_[a-z]+)*$/);
    expect(help).toMatch(/\.$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name.endsWith('_summary')).toBe(type === 'summary');
  });

  it.each(metrics.filter(([, { type }]) => type === 'summary'))(
    '%s has a histogram with its labels and unit beside it',
    (_name, summary) => {
      const histogram = metrics.find(([name]) => name === summary.histogram)?.[1];
      expect(histogram).toMatchObject({ type: 'histogram', unit: summary.unit, labels: summary.labels });
    },
  );

  it.each(metrics.filter(([, { type }]) => type === 'histogram'))(
    '%s has rising buckets',
    (_name, { buckets = [] }) => {
      expect(buckets.length).toBeGreaterThan(3);
      expect(buckets).toEqual([...new Set(buckets)].toSorted((a, b) => a - b));
    },
  );

  it('has the operations of the latency of an extraction', () => {
    expect(METRICS.memory_llm_latency_ms_summary.labels.operation).toEqual([
      'provider_call',
      'parsing',
      'total',
      'first_token',
    ]);
  });
});
