import { LATENCY_BUCKETS_MS, type MetricDefinition } from './definition.js';

const JOB = { bounded: 'the maintenance jobs in the code' } as const;

/** Metrics of what runs by schedule. */
export const maintenanceMetrics = {
  memory_llm_memories_expired_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories deleted because they expired.',
    labels: {},
  },
  memory_llm_memories_purged_total: {
    type: 'counter',
    unit: 'count',
    help: 'Deleted memories that are gone for good.',
    labels: {},
  },
  memory_llm_accesses_recorded_total: {
    type: 'counter',
    unit: 'count',
    help: 'Reads of memories that were noted, behind the answers.',
    labels: {},
  },
  memory_llm_accesses_dropped_total: {
    type: 'counter',
    unit: 'count',
    help: 'Reads of memories that were not noted, since too many were waiting for the database.',
    labels: {},
  },
  memory_llm_maintenance_runs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Runs of maintenance jobs, by how they ended: continued goes on at once, lost went to another process.',
    labels: { job: JOB, outcome: ['completed', 'continued', 'failed', 'lost'] },
  },
  memory_llm_maintenance_done_total: {
    type: 'counter',
    unit: 'count',
    help: 'What maintenance jobs changed, each in its own unit.',
    labels: { job: JOB },
  },
  memory_llm_maintenance_failures: {
    type: 'gauge',
    unit: 'count',
    help: 'Runs of a job that failed since one did not. Read from the database when scraped.',
    labels: { job: JOB },
  },
  memory_llm_maintenance_age_ms: {
    type: 'gauge',
    unit: 'ms',
    help: 'Time since a job last came to its end. Read from the database when scraped.',
    labels: { job: JOB },
  },
  memory_llm_maintenance_run_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time of one run of a maintenance job.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { job: JOB },
  },
} as const satisfies Record<string, MetricDefinition>;
