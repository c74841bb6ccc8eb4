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
    help: 'Batches that reached a state, by state.',
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
    help: 'Batches that are deferred now, by reason. Read from the database when scraped.',
    labels: { reason: DEFERRAL_REASONS },
  },
  memory_llm_batch_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time from the acceptance of a batch to its end.',
    buckets: WAIT_BUCKETS_MS,
    labels: { state: ['done', 'failed'] },
  },
  memory_llm_jobs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts of jobs, by how they ended: failed may be retried, exhausted and refused are not.',
    labels: { queue: QUEUES, outcome: ['completed', 'failed', 'exhausted', 'refused'] },
  },
  memory_llm_job_wait_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time a job spent on its queue before a worker took it.',
    buckets: WAIT_BUCKETS_MS,
    labels: { queue: QUEUES },
  },
  memory_llm_job_run_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time a worker spent on one attempt of a job.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { queue: QUEUES, outcome: ['completed', 'failed', 'exhausted', 'refused'] },
  },
  memory_llm_jobs_stalled_total: {
    type: 'counter',
    unit: 'count',
    help: 'Jobs whose worker vanished.',
    labels: { queue: QUEUES },
  },
  memory_llm_outbox_waiting: {
    type: 'gauge',
    unit: 'count',
    help: 'Outbox rows not yet released to their queue. Read from the database when scraped.',
    labels: { queue: QUEUES },
  },
  memory_llm_outbox_in_flight: {
    type: 'gauge',
    unit: 'count',
    help: 'Outbox rows released and not yet finished. Read from the database when scraped.',
    labels: { queue: QUEUES },
  },
  memory_llm_relay_released_total: {
    type: 'counter',
    unit: 'count',
    help: 'Outbox rows put on their queue.',
    labels: { queue: QUEUES },
  },
  memory_llm_relay_swept_total: {
    type: 'counter',
    unit: 'count',
    help: 'Released rows whose job was gone and that were made due again.',
    labels: { queue: QUEUES },
  },
  memory_llm_relay_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Rounds of the relay or the sweep that failed.',
    labels: { round: ['release', 'sweep'] },
  },
} as const satisfies Record<string, MetricDefinition>;

const processMetrics = {
  memory_llm_db_pool_connections: {
    type: 'gauge',
    unit: 'count',
    help: 'Database connections of this process, and callers that wait for one.',
    labels: { state: ['active', 'idle', 'waiting'] },
  },
  memory_llm_db_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Connections to the database that broke while they were idle.',
    labels: { class: ['connection'] },
  },
  memory_llm_collect_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Gauges that could not be read when scraped.',
    labels: { metric: { bounded: 'the gauges of this manifest' } },
  },
  memory_llm_build_info: {
    type: 'gauge',
    unit: 'count',
    help: 'Always 1; the labels tell what runs.',
    labels: {
      service: { bounded: 'the name of the service' },
      version: { bounded: 'the version of the release' },
      node_version: { bounded: 'the version of Node' },
    },
  },
} as const satisfies Record<string, MetricDefinition>;

/**
 * Every metric of the project (docs/reference/logging-and-metrics.md#metrics-manifest): registration, types and
 * docs/metrics.md are made from it. Besides these, `memory_llm_process_*` are the process metrics of prom-client.
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
