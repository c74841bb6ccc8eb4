import { LATENCY_BUCKETS_MS, type MetricDefinition } from './definition.js';

const JOB = { bounded: 'the maintenance jobs in the code' } as const;

/** Metrics of maintenance jobs and of what they do. */
export const maintenanceMetrics = {
  memory_llm_memories_expired_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories deleted because their time to live was over.',
    labels: {},
  },
  memory_llm_memories_purged_total: {
    type: 'counter',
    unit: 'count',
    help: 'Deleted memories that were purged (deleted irrevocably).',
    labels: {},
  },
  memory_llm_accesses_recorded_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memory accesses recorded. They are written asynchronously, after the response.',
    labels: {},
  },
  memory_llm_accesses_dropped_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memory accesses dropped because the write buffer was full or the write failed.',
    labels: {},
  },
  memory_llm_maintenance_runs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Runs of maintenance jobs, by outcome. `continued`: another run follows immediately; `lost`: another process took the lease.',
    labels: { job: JOB, outcome: ['completed', 'continued', 'failed', 'lost'] },
  },
  memory_llm_maintenance_done_total: {
    type: 'counter',
    unit: 'count',
    help: 'Items that maintenance jobs changed; the unit depends on the job.',
    labels: { job: JOB },
  },
  memory_llm_maintenance_failures: {
    type: 'gauge',
    unit: 'count',
    help: 'Consecutive failed runs of a maintenance job. Read from the database when scraped.',
    labels: { job: JOB },
  },
  memory_llm_maintenance_age_ms: {
    type: 'gauge',
    unit: 'ms',
    help: 'Time since a maintenance job last completed a pass. Read from the database when scraped.',
    labels: { job: JOB },
  },
  memory_llm_maintenance_run_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Duration of one run of a maintenance job.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { job: JOB },
  },
} as const satisfies Record<string, MetricDefinition>;
