import { createMetrics } from './create-metrics.js';
import { METRICS } from './manifest.js';
import type { Metrics } from './metrics.types.js';

function make(): Metrics {
  return createMetrics({ service: 'gateway', version: '1.2.3', processMetrics: false });
}

async function linesOf(metrics: Metrics, start: string): Promise<string[]> {
  const { body } = await metrics.render();
  return body.split('\n').filter((line) => line.startsWith(start));
}

describe('createMetrics', () => {
  it('registers exactly the metrics of the manifest', async () => {
    const { body, contentType } = await make().render();
    const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
    expect(types).toEqual(Object.entries(METRICS).map(([name, { type }]) => [name, type]));
    expect(contentType).toContain('text/plain');
  });

  it('keeps the counts of two instances in one process separate', async () => {
    const [one, other] = [make(), make()];
    one.inc('memory_llm_messages_duplicate_total');
    expect(await linesOf(one, 'memory_llm_messages_duplicate_total')).toEqual([
      'memory_llm_messages_duplicate_total 1',
    ]);
    expect(await linesOf(other, 'memory_llm_messages_duplicate_total')).toEqual([
      'memory_llm_messages_duplicate_total 0',
    ]);
  });

  it('initialises counters with closed labels to zero, so that a rate includes the first increment', async () => {
    expect(await linesOf(make(), 'memory_llm_batches_total{')).toEqual([
      'memory_llm_batches_total{state="done"} 0',
      'memory_llm_batches_total{state="deferred"} 0',
      'memory_llm_batches_total{state="failed"} 0',
      'memory_llm_batches_total{state="erased"} 0',
    ]);
  });

  it('increments counters, sets gauges and observes histograms', async () => {
    const metrics = make();
    metrics.add('memory_llm_cost_micro_usd_total', 250, { provider: 'openai', model: 'e', operation: 'embedding' });
    metrics.set('memory_llm_db_pool_connections', 3, { state: 'idle' });
    metrics.observe('memory_llm_job_wait_ms', 7, { queue: 'extraction' });
    const { body } = await metrics.render();
    expect(body).toContain('memory_llm_cost_micro_usd_total{provider="openai",model="e",operation="embedding"} 250');
    expect(body).toContain('memory_llm_db_pool_connections{state="idle"} 3');
    expect(body).toContain('memory_llm_job_wait_ms_bucket{le="5",queue="extraction"} 0');
    expect(body).toContain('memory_llm_job_wait_ms_bucket{le="10",queue="extraction"} 1');
    expect(body).toContain('memory_llm_build_info{service="gateway",version="1.2.3"');
  });

  it('records each observation of a summary in its histogram too', async () => {
    const metrics = make();
    metrics.observe('memory_llm_latency_ms_summary', 40, { provider: 'local', operation: 'total' });
    metrics.observe('memory_llm_persist_latency_ms_summary', 8);
    const { body } = await metrics.render();
    expect(body).toContain('memory_llm_latency_ms_summary{quantile="0.5",provider="local",operation="total"} 40');
    expect(body).toContain('memory_llm_latency_ms_bucket{le="50",provider="local",operation="total"} 1');
    expect(body).toContain('memory_llm_persist_latency_ms_summary_count 1');
    expect(body).toContain('memory_llm_persist_latency_ms_sum 8');
  });

  it('reads gauges that share a source once per scrape', async () => {
    const metrics = make();
    let reads = 0;
    metrics.collectGauges(['memory_llm_work_due', 'memory_llm_work_in_flight'], async () => {
      reads += 1;
      return [
        { metric: 'memory_llm_work_due', labels: { queue: 'extraction' }, value: 5 },
        { metric: 'memory_llm_work_in_flight', labels: { queue: 'extraction' }, value: reads },
      ];
    });
    expect(await linesOf(metrics, 'memory_llm_work_in_flight{')).toEqual([
      'memory_llm_work_in_flight{queue="extraction"} 1',
    ]);
    expect(await linesOf(metrics, 'memory_llm_work_due{')).toEqual(['memory_llm_work_due{queue="extraction"} 5']);
    expect(reads).toBe(2);
  });

  it('leaves out gauges that cannot be read, counts the error and still renders the others', async () => {
    const metrics = make();
    let down = false;
    metrics.collectGauges(['memory_llm_work_due'], async () => {
      if (down) throw new Error('the database is unavailable');
      return [{ metric: 'memory_llm_work_due', labels: { queue: 'extraction' }, value: 5 }];
    });
    expect(await linesOf(metrics, 'memory_llm_work_due{')).toHaveLength(1);
    down = true;
    expect(await linesOf(metrics, 'memory_llm_work_due{')).toEqual([]);
    // Each gauge from zero, so that a rate sees its first error.
    expect(await linesOf(metrics, 'memory_llm_collect_errors_total{')).toEqual([
      'memory_llm_collect_errors_total{metric="memory_llm_junk_rate"} 0',
      'memory_llm_collect_errors_total{metric="memory_llm_work_due"} 2',
    ]);
  });

  it('computes the junk rate from its two counters', async () => {
    const metrics = make();
    expect(await linesOf(metrics, 'memory_llm_junk_rate')).toEqual(['memory_llm_junk_rate 0']);
    metrics.add('memory_llm_memories_extracted_total', 8, { provider: 'local' });
    metrics.inc('memory_llm_memories_junk_total', { cause: 'quarantined' });
    metrics.inc('memory_llm_memories_junk_total', { cause: 'rejected' });
    expect(await linesOf(metrics, 'memory_llm_junk_rate')).toEqual(['memory_llm_junk_rate 0.25']);
  });

  it('registers process metrics under the prefix memory_llm_', async () => {
    const { body } = await createMetrics({ service: 's', version: '1' }).render();
    expect(body).toContain('# TYPE memory_llm_process_nodejs_eventloop_lag_seconds gauge');
    expect([...body.matchAll(/^# TYPE (\S+)/gm)].every(([, name]) => name?.startsWith('memory_llm_'))).toBe(true);
  });
});

describe('the Metrics type', () => {
  const attempts: ((metrics: Metrics) => void)[] = [
    // @ts-expect-error -- no such metric
    (metrics) => metrics.inc('memory_llm_no_such_total'),
    // @ts-expect-error -- labels are missing
    (metrics) => metrics.inc('memory_llm_jobs_total'),
    // @ts-expect-error -- not an outcome
    (metrics) => metrics.inc('memory_llm_jobs_total', { queue: 'extraction', outcome: 'lost' }),
    // @ts-expect-error -- this metric has no labels
    (metrics) => metrics.inc('memory_llm_messages_duplicate_total', { user: 'u' }),
    // @ts-expect-error -- counters cannot be set
    (metrics) => metrics.set('memory_llm_messages_duplicate_total', 1),
    // @ts-expect-error -- observed through its summary
    (metrics) => metrics.observe('memory_llm_latency_ms', 1, { provider: 'local', operation: 'total' }),
  ];

  it('rejects unknown names, wrong labels and wrong metric types (checked by the compiler)', () => {
    expect(attempts).toHaveLength(6);
  });
});
