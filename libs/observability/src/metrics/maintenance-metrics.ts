import { counter, gauge, histogram, type MetricDefinition } from './definition.js';

/** Not `job`, which Prometheus sets itself. */
const TASK = { bounded: 'the maintenance jobs in the code' } as const;

/** Metrics of maintenance jobs and of what they do. */
export const maintenanceMetrics = {
  memory_llm_memories_expired_total: counter('Memories deleted because their time to live was over.', {}),
  memory_llm_memories_purged_total: counter('Deleted memories that were purged (deleted irrevocably).', {}),
  memory_llm_accesses_recorded_total: counter(
    'Memory accesses recorded. They are written asynchronously, after the response.',
    {},
  ),
  memory_llm_accesses_dropped_total: counter(
    'Memory accesses dropped because the write buffer was full or the write failed.',
    {},
  ),
  memory_llm_maintenance_runs_total: counter(
    'Runs of maintenance jobs, by outcome. `continued`: another run follows immediately; `lost`: another process took the lease.',
    { task: TASK, outcome: ['completed', 'continued', 'failed', 'lost'] },
  ),
  memory_llm_maintenance_done_total: counter('Items that maintenance jobs changed; the unit depends on the job.', {
    task: TASK,
  }),
  memory_llm_maintenance_failures: gauge(
    'Consecutive failed runs of a maintenance job. Read from the database when scraped.',
    { task: TASK },
  ),
  memory_llm_maintenance_age_ms: gauge(
    'Time since a maintenance job last completed a pass. Read from the database when scraped.',
    { task: TASK },
    'ms',
  ),
  memory_llm_maintenance_interval_ms: gauge(
    'Time between two passes of a maintenance job, in processes that run it.',
    { task: TASK },
    'ms',
  ),
  memory_llm_purge_overdue_ms: gauge(
    'Time since the oldest deleted memory should have been purged; 0 without one. Read from the database when scraped.',
    {},
    'ms',
  ),
  memory_llm_maintenance_run_ms: histogram('Duration of one run of a maintenance job.', { task: TASK }),
} satisfies Record<string, MetricDefinition>;
