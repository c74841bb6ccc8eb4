import { appMemoryMetrics } from './app-memory-metrics.js';
import { counter, gauge, histogram, type MetricDefinition, WAIT_BUCKETS_MS } from './definition.js';
import { gatewayMetrics } from './gateway-metrics.js';
import { maintenanceMetrics } from './maintenance-metrics.js';
import { memoryMetrics } from './memory-metrics.js';
import { mindMetrics } from './mind-metrics.js';
import { modelMetrics } from './model-metrics.js';
import { vaultMetrics } from './vault-metrics.js';
import { webhookMetrics } from './webhook-metrics.js';

const QUEUES = { bounded: 'the kinds of work, one queue each' } as const;
/**
 * Why a batch is deferred (docs/reference/batches.md#deferral-reasons,
 * docs/reference/budgets.md#deferral-until-the-next-budget-day).
 */
const DEFERRAL_REASONS = ['budget_exceeded', 'circuit_open'] as const;
/** Why other work is deferred (docs/reference/work.md#deferral). */
const WORK_DEFERRAL_REASONS = [
  'budget_exceeded',
  'provider_unavailable',
  'energy',
  'not_due',
  'vault_unavailable',
] as const;

const pipelineMetrics = {
  memory_llm_batches_total: counter(
    'Batches that became done, deferred or failed, by state; `erased` are those whose user was erased before they were written.',
    { state: ['done', 'deferred', 'failed', 'erased'] },
  ),
  memory_llm_deferrals_total: counter('Times a batch was deferred, by reason.', { reason: DEFERRAL_REASONS }),
  memory_llm_batches_deferred: gauge('Batches currently deferred, by reason. Read from the database when scraped.', {
    reason: DEFERRAL_REASONS,
  }),
  memory_llm_batch_duration_ms: histogram(
    'Time from the acceptance of a batch until it was done or failed.',
    { state: ['done', 'failed'] },
    WAIT_BUCKETS_MS,
  ),
  memory_llm_jobs_total: counter(
    'Job attempts, by outcome. `failed` attempts are retried, `exhausted` and `refused` ones are not.',
    { queue: QUEUES, outcome: ['completed', 'failed', 'exhausted', 'refused'] },
  ),
  memory_llm_job_wait_ms: histogram(
    'Time a job waited in its queue before a worker took it.',
    { queue: QUEUES },
    WAIT_BUCKETS_MS,
  ),
  memory_llm_job_run_ms: histogram('Processing time of one job attempt.', {
    queue: QUEUES,
    outcome: ['completed', 'failed', 'exhausted', 'refused'],
  }),
  memory_llm_jobs_stalled_total: counter('Jobs that stalled because their worker died or lost its lock.', {
    queue: QUEUES,
  }),
  memory_llm_work_due: gauge(
    'Work rows that are due and not yet published to their queue, counted up to 100 000. Read from the database when scraped.',
    { queue: QUEUES },
  ),
  memory_llm_work_scheduled: gauge(
    'Work rows for a later time: asked for ahead, or deferred; counted up to 100 000. Read from the database when scraped.',
    { queue: QUEUES },
  ),
  memory_llm_work_in_flight: gauge(
    'Work rows published to their queue and not yet finished, counted up to 100 000. Read from the database when scraped.',
    { queue: QUEUES },
  ),
  memory_llm_work_oldest_due_ms: gauge(
    'Time since the oldest work row became due that is not finished, whether it waits, is in its queue or with a worker; 0 without one. Read from the database when scraped.',
    { queue: QUEUES },
    'ms',
  ),
  memory_llm_work_oldest_in_flight_ms: gauge(
    'Time since the oldest work row in flight was published to its queue; 0 without one. Read from the database when scraped.',
    { queue: QUEUES },
    'ms',
  ),
  memory_llm_work_failed: gauge(
    'Work rows that have failed and wait to be replayed by hand or asked for again; batches have states of their own. Read from the database when scraped.',
    { queue: QUEUES },
  ),
  memory_llm_work_deferred: gauge(
    'Work rows that wait for a later time, by reason. Read from the database when scraped.',
    {
      reason: WORK_DEFERRAL_REASONS,
    },
  ),
  memory_llm_relay_released_total: counter('Work rows that the relay published to their queue.', { queue: QUEUES }),
  memory_llm_relay_swept_total: counter(
    'Published work rows whose job the queue had lost and that the sweep made due again.',
    { queue: QUEUES },
  ),
  memory_llm_relay_errors_total: counter('Failed rounds of the outbox relay or the sweep.', {
    round: ['release', 'sweep'],
  }),
} satisfies Record<string, MetricDefinition>;

const processMetrics = {
  memory_llm_db_pool_connections: gauge(
    'Connections in the database pool of this process (`active`, `idle`) and callers waiting for one (`waiting`).',
    { state: ['active', 'idle', 'waiting'] },
  ),
  memory_llm_db_errors_total: counter(
    'Database connections lost while idle in the pool (`connection`), writes that a read-only server refused (`read_only`), statements that took longer than their limit (`statement_ended`), and those that waited too long for a lock (`lock`).',
    { class: ['connection', 'read_only', 'statement_ended', 'lock'] },
  ),
  memory_llm_migration_pending: gauge(
    '1 while the database lacks a migration of the release that this process runs, otherwise 0. Read from the database when scraped.',
    {},
  ),
  memory_llm_redis_evicts_keys: gauge(
    '1 while Redis may evict keys when its memory is full (`maxmemory-policy` is not `noeviction`), otherwise 0. Read from Redis when scraped; missing without Redis.',
    {},
  ),
  memory_llm_collect_errors_total: counter(
    'Failed reads of gauges when scraped; the gauge is left out of that scrape.',
    { metric: { bounded: 'the gauges of this manifest' } },
  ),
  memory_llm_build_info: gauge('Always 1; the labels carry service, version and Node version.', {
    service: { bounded: 'the service names' },
    version: { bounded: 'one per release' },
    node_version: { bounded: 'one per Node release in use' },
  }),
} satisfies Record<string, MetricDefinition>;

/**
 * Every metric of the project (docs/reference/logging-and-metrics.md#metrics-manifest). Registration, types and
 * docs/metrics.md are generated from it. In addition, `memory_llm_process_*` are the process metrics of prom-client.
 */
export const METRICS = {
  ...gatewayMetrics,
  ...pipelineMetrics,
  ...modelMetrics,
  ...mindMetrics,
  ...appMemoryMetrics,
  ...memoryMetrics,
  ...webhookMetrics,
  ...vaultMetrics,
  ...maintenanceMetrics,
  ...processMetrics,
};

export type MetricName = keyof typeof METRICS;
