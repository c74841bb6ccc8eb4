import { LATENCY_BUCKETS_MS, type MetricDefinition, WAIT_BUCKETS_MS } from './definition.js';
import { PROVIDER, REASON } from './labels.js';
import { modelMetrics } from './model-metrics.js';

const QUEUES = ['extraction', 'persistence'] as const;
/** Why a batch is put off (decisions 2 and 6). */
const DEFERRALS = ['budget_exceeded', 'circuit_open'] as const;
const JOB = { bounded: 'the maintenance jobs in the code' } as const;
const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

const gatewayMetrics = {
  memory_llm_http_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests answered.',
    labels: {
      route: { bounded: 'the route patterns of the API; `unmatched` for all others' },
      method: { bounded: 'the HTTP methods of the API; `OTHER` for all others' },
      status_class: STATUS_CLASSES,
    },
  },
  memory_llm_http_request_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time from the arrival of a request to the end of its answer.',
    buckets: LATENCY_BUCKETS_MS,
    labels: {
      route: { bounded: 'the route patterns of the API; `unmatched` for all others' },
      method: { bounded: 'the HTTP methods of the API; `OTHER` for all others' },
      status_class: STATUS_CLASSES,
    },
  },
  memory_llm_rate_limited_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests refused because their key sent too many.',
    labels: {},
  },
  memory_llm_accept_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time to redact, store and queue one post of messages.',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_messages_accepted_total: {
    type: 'counter',
    unit: 'count',
    help: 'New messages stored.',
    labels: {},
  },
  memory_llm_messages_seen_total: {
    type: 'counter',
    unit: 'count',
    help: 'Messages posted again and left alone.',
    labels: {},
  },
  memory_llm_redactions_total: {
    type: 'counter',
    unit: 'count',
    help: 'Passages replaced before storing, by what they were.',
    labels: { type: { bounded: 'the types of the redactor' } },
  },
  memory_llm_query_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time of memory.query, by phase.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { phase: ['embed', 'candidates', 'rerank', 'rank', 'load', 'total'] },
  },
  memory_llm_query_degraded_total: {
    type: 'counter',
    unit: 'count',
    help: 'Queries answered without vectors or without the reranker.',
    labels: { reason: REASON },
  },
  memory_llm_queries_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers of memory.query. Those of purpose `recall` divided by memory_llm_turns_accepted_total are the share of turns that needed a second look (SYS §11: below 10 %).',
    labels: { purpose: ['context', 'recall'] },
  },
  memory_llm_turns_accepted_total: {
    type: 'counter',
    unit: 'count',
    help: 'New messages stored of the role `user`: turns of a conversation.',
    labels: {},
  },
  memory_llm_recall_duration_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time of memory.query on demand, with purpose `recall` (SYS §11: below 200 ms).',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_refused_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests refused with 403, by what was refused.',
    labels: { code: ['forbidden_scope', 'forbidden_agent', 'forbidden_category', 'forbidden_user'] },
  },
  memory_llm_events_dropped_total: {
    type: 'counter',
    unit: 'count',
    help: 'Operational events that were not written because too many waited, or the database refused them.',
    labels: {},
  },
} as const satisfies Record<string, MetricDefinition>;

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
    help: 'Times a batch was put off, by reason.',
    labels: { reason: DEFERRALS },
  },
  memory_llm_batches_deferred: {
    type: 'gauge',
    unit: 'count',
    help: 'Batches that are put off now, by reason. Read from the database when scraped.',
    labels: { reason: DEFERRALS },
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

const memoryMetrics = {
  memory_llm_persist_latency_ms_summary: {
    type: 'summary',
    unit: 'ms',
    help: 'Time of the write transaction of a batch, from start to commit.',
    histogram: 'memory_llm_persist_latency_ms',
    labels: {},
  },
  memory_llm_persist_latency_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'The same observations as memory_llm_persist_latency_ms_summary, to be added up over replicas.',
    buckets: LATENCY_BUCKETS_MS,
    labels: {},
  },
  memory_llm_persist_inserted_total: { type: 'counter', unit: 'count', help: 'Memories inserted.', labels: {} },
  memory_llm_persist_updated_total: {
    type: 'counter',
    unit: 'count',
    help: 'Stored memories that a duplicate improved.',
    labels: {},
  },
  memory_llm_persist_skipped_duplicate_total: {
    type: 'counter',
    unit: 'count',
    help: 'Duplicates that changed nothing.',
    labels: {},
  },
  memory_llm_reconciliations_total: {
    type: 'counter',
    unit: 'count',
    help: 'Batches that asked a model how new statements stand to stored memories, by what came of it.',
    labels: { outcome: ['decided', 'not_understood', 'not_answered'] },
  },
  memory_llm_persist_quarantined_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories stored in quarantine.',
    labels: {},
  },
  memory_llm_memories_quarantined_total: {
    type: 'counter',
    unit: 'count',
    help: 'Extracted memories held back, by reason.',
    labels: { reason: REASON },
  },
  memory_llm_writing_checked_total: {
    type: 'counter',
    unit: 'count',
    help: 'Extracted memories held to the writing constraints (SYS §9), by what became of them.',
    labels: { outcome: ['passed', 'rewritten', 'trimmed', 'rejected'] },
  },
  memory_llm_multi_fact_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers that told next to nothing of a long message, by what became of a second look (SYS §13).',
    labels: { outcome: ['asked', 'capped', 'failed'] },
  },
  memory_llm_multi_fact_memories_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories that a second look at long messages added.',
    labels: {},
  },
  memory_llm_writing_broken_total: {
    type: 'counter',
    unit: 'count',
    help: 'Times an extracted memory broke a writing constraint at first, by rule.',
    labels: { rule: { bounded: 'the rules in the code' } },
  },
  memory_llm_memories_extracted_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories that a provider proposed.',
    labels: { provider: PROVIDER },
  },
  memory_llm_memories_junk_total: {
    type: 'counter',
    unit: 'count',
    help: 'Extracted memories that were of no use (decision 26).',
    labels: { cause: ['quarantined', 'rejected', 'expired_unread'] },
  },
  memory_llm_junk_rate: {
    type: 'gauge',
    unit: 'ratio',
    help: 'memory_llm_memories_junk_total / memory_llm_memories_extracted_total of this process since its start; over replicas divide the two sums.',
    labels: {},
  },
  memory_llm_embedding_calls_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls of the embedding provider.',
    labels: { provider: PROVIDER, outcome: ['ok', 'error'] },
  },
  memory_llm_embedding_inputs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Texts sent to the embedding provider.',
    labels: { provider: PROVIDER },
  },
  memory_llm_embedding_cache_hits_total: {
    type: 'counter',
    unit: 'count',
    help: 'Vectors that were known already.',
    labels: { provider: PROVIDER },
  },
} as const satisfies Record<string, MetricDefinition>;

const maintenanceMetrics = {
  memory_llm_memories_expired_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories that time deleted (SYS §7).',
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
    help: 'Errors of the database, by SQLSTATE class (two characters) or `connection`.',
    labels: { class: { bounded: 'the classes of SQLSTATE' } },
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
 * Every metric of the project (decision 13): registration, types and docs/metrics.md are made from it.
 * Besides these, `memory_llm_process_*` are the process metrics of prom-client.
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
