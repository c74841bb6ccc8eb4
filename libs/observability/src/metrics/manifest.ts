import { LATENCY_BUCKETS_MS, type MetricDefinition, WAIT_BUCKETS_MS } from './definition.js';
import { gatewayMetrics } from './gateway-metrics.js';
import { maintenanceMetrics } from './maintenance-metrics.js';
import { memoryMetrics } from './memory-metrics.js';
import { modelMetrics } from './model-metrics.js';

const QUEUES = ['extraction', 'persistence'] as const;
/**
 * Why a batch is deferred (docs/reference/batches.md#deferral-reasons,
 * docs/reference/budgets.md#deferral-until-the-next-budget-day).
 */
const DEFERRAL_REASONS = ['budget_exceeded', 'circuit_open'] as const;

const pipelineMetrics = {
  memory_llm_batches_total: {
    type: 'counter',
    unit: 'count',
    help: 'Batches that became done, deferred or failed, by state.',
    labels: { state: ['done', 'deferred', 'failed'] },
  },
  memory_llm_deferrals_total: {
    type: 'counter',
    unit: 'count',
    help: 'Times a batch was deferred, by reason.',
    labels: { reason: DEFERRAL_REASONS },
  },
  memory_llm_batches_deferred: {
    type: 'gauge',
    unit: 'count',
    help: 'Batches currently deferred, by reason. Read from the database when scraped.',
    labels: { reason: DEFERRAL_REASONS },
  },
  memory_llm_batch_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time from the acceptance of a batch until it was done or failed.',
    buckets: WAIT_BUCKETS_MS,
    labels: { state: ['done', 'failed'] },
  },
  memory_llm_jobs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Job attempts, by outcome. `failed` attempts are retried, `exhausted` and `refused` ones are not.',
    labels: { queue: QUEUES, outcome: ['completed', 'failed', 'exhausted', 'refused'] },
  },
  memory_llm_job_wait_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time a job waited in its queue before a worker took it.',
    buckets: WAIT_BUCKETS_MS,
    labels: { queue: QUEUES },
  },
  memory_llm_job_run_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Processing time of one job attempt.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { queue: QUEUES, outcome: ['completed', 'failed', 'exhausted', 'refused'] },
  },
  memory_llm_jobs_stalled_total: {
    type: 'counter',
    unit: 'count',
    help: 'Jobs that stalled because their worker died or lost its lock.',
    labels: { queue: QUEUES },
  },
  memory_llm_outbox_waiting: {
    type: 'gauge',
    unit: 'count',
    help: 'Outbox rows not yet published to their queue. Read from the database when scraped.',
    labels: { queue: QUEUES },
  },
  memory_llm_outbox_in_flight: {
    type: 'gauge',
    unit: 'count',
    help: 'Outbox rows published to their queue and not yet finished. Read from the database when scraped.',
    labels: { queue: QUEUES },
  },
  memory_llm_relay_released_total: {
    type: 'counter',
    unit: 'count',
    help: 'Outbox rows that the relay published to their queue.',
    labels: { queue: QUEUES },
  },
  memory_llm_relay_swept_total: {
    type: 'counter',
    unit: 'count',
    help: 'Published outbox rows whose job the queue had lost and that the sweep made due again.',
    labels: { queue: QUEUES },
  },
  memory_llm_relay_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Failed rounds of the outbox relay or the sweep.',
    labels: { round: ['release', 'sweep'] },
  },
} as const satisfies Record<string, MetricDefinition>;

const processMetrics = {
  memory_llm_db_pool_connections: {
    type: 'gauge',
    unit: 'count',
    help: 'Connections in the database pool of this process (`active`, `idle`) and callers waiting for one (`waiting`).',
    labels: { state: ['active', 'idle', 'waiting'] },
  },
  memory_llm_db_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Database connections lost while idle in the pool.',
    labels: { class: ['connection'] },
  },
  memory_llm_collect_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Failed reads of gauges when scraped; the gauge is left out of that scrape.',
    labels: { metric: { bounded: 'the gauges of this manifest' } },
  },
  memory_llm_build_info: {
    type: 'gauge',
    unit: 'count',
    help: 'Always 1; the labels carry service, version and Node version.',
    labels: {
      service: { bounded: 'the service names' },
      version: { bounded: 'one per release' },
      node_version: { bounded: 'one per Node release in use' },
    },
  },
} as const satisfies Record<string, MetricDefinition>;

/**
 * Every metric of the project (docs/reference/logging-and-metrics.md#metrics-manifest). Registration, types and
 * docs/metrics.md are generated from it. In addition, `memory_llm_process_*` are the process metrics of prom-client.
 */
export const METRICS = {
  ...gatewayMetrics,
  ...pipelineMetrics,
  ...modelMetrics,
  ...memoryMetrics,
  ...maintenanceMetrics,
  ...processMetrics,
};

export type MetricName = keyof typeof METRICS;
