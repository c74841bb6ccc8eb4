/**
 * All log events with their required fields (docs/reference/logging-and-metrics.md#event-names). Types, sanitisation
 * and docs/events.md are derived from this table; logging an event that is not listed does not compile.
 */
import { auditEvents } from './audit-events.js';
import { appMemoryEvents } from './app-memory-events.js';
import { chatEvents } from './chat-events.js';
import type { EventDefinition } from './event-definition.js';
import { fileEvents } from './file-events.js';
import { mindEvents } from './mind-events.js';
import { vaultEvents } from './vault-events.js';
import { webhookEvents } from './webhook-events.js';
import { workEvents } from './work-events.js';

export type { EventDefinition, FieldKind } from './event-definition.js';

/** The error taxonomy of the LLM layer (docs/reference/model-calls.md#error-types). */
export const LLM_ERROR_TYPES = [
  'rate_limit',
  'timeout',
  'authentication',
  'invalid_request',
  'parsing',
  'budget_exceeded',
  'policy',
  'transient',
  'unknown',
] as const;

/** States of the circuit breaker as spelled in logs and metrics. */
export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;

const llmEvents = {
  provider_call_start: {
    when: 'before a request is sent to a provider',
    fields: { model: 'string', provider: 'string' },
  },
  provider_call_complete: {
    when: 'after a successful call to a provider',
    fields: { durationMs: 'number', costMicroUSD: 'number', tokenUsage: 'tokenUsage' },
  },
  provider_call_error: {
    when: 'after a failed call, once its error type is known',
    fields: { errorType: LLM_ERROR_TYPES, attempt: 'number' },
  },
  parsing_repair_attempt: {
    when: 'after each attempt to repair the JSON of a model answer',
    fields: { attempt: 'number', success: 'boolean' },
  },
  parsing_repair_failure: { when: 'when a model answer cannot be repaired', fields: { errorType: ['parsing'] } },
  fallback_activated: {
    when: 'when the next provider of the chain is called because the previous one failed or its circuit is open',
    fields: { from: 'string', to: 'string', reason: 'string' },
  },
  circuit_state_change: {
    when: 'after the circuit breaker changed its state (and its gauge was updated)',
    fields: { previousState: CIRCUIT_STATES, circuitState: CIRCUIT_STATES, failureRate: 'number' },
  },
  budget_threshold: {
    when: 'when spending reaches 70, 90 or 100 percent of a budget',
    fields: { budgetUtilization: 'number', spentUSD: 'number', budgetUSD: 'number' },
  },
  budget_rejection: {
    when: 'when a call is rejected because it would exceed a budget; amounts in micro-USD, as `budgetLimit`',
    fields: { projectedCost: 'number', shortfall: 'number' },
  },
  persistence_batch_commit: {
    when: 'when the write transaction of a batch has committed',
    fields: { batchSize: 'number', inserted: 'number', updated: 'number', skipped_duplicate: 'number' },
  },
  persistence_batch_rollback: {
    when: 'when the write transaction of a batch was rolled back; `reason` is `transient`, `secret_key` for a history of another key, `internal`, or the SQLSTATE',
    fields: { reason: 'string' },
  },
  first_token_latency: { when: 'at the first chunk of a streamed answer', fields: { firstTokenMs: 'number' } },
  stream_repair_attempt: { when: 'after an attempt to repair a streamed answer', fields: { success: 'boolean' } },
  schema_adapted: {
    when: 'when a model answer in another form of the response schema was adapted',
    fields: { from: 'string' },
  },
  answer_truncated: {
    when: 'when a model answer was truncated and only its complete memories are used',
    fields: { model: 'string', provider: 'string', retained: 'number', dropped: 'number' },
  },
  messages_pruned: {
    when: 'when messages of a batch are pruned from the prompt because of their lower salience',
    fields: { batchId: 'string', prunedCount: 'number', estimatedTokens: 'number' },
  },
  token_estimate_missed: {
    when: 'when the tokens used by a call differ from the estimate by more than 5 percent',
    fields: {
      model: 'string',
      provider: 'string',
      estimatedTokens: 'number',
      usedTokens: 'number',
      variancePercent: 'number',
    },
  },
  provider_health_change: {
    when: 'when a provider becomes usable or unusable; `problem` says what to do',
    fields: { model: 'string', provider: 'string', usable: 'boolean' },
  },
  rate_limiter_wait: {
    when: 'when the rate limiter delays a call',
    fields: { model: 'string', provider: 'string', reason: 'string', retryInMs: 'number' },
  },
  budget_rebuilt: {
    when: 'after the budget counters were rebuilt from the ledger',
    fields: { day: 'string', epoch: 'number' },
  },
  reservation_expired: {
    when: 'when the reservation of a call whose worker died was settled at its maximum cost',
    fields: { tenantId: 'string', callId: 'string', provider: 'string', costMicroUSD: 'number' },
  },
  reconcile_failed: {
    when: 'when reconciling the budget counters with the ledger failed because of a bug',
    fields: { error: 'error' },
  },
  pseudonym_key_changed: {
    when: 'when the placeholders of a tenant were made with another key than the configured one: whatever must be redacted is refused with 503',
    fields: { tenantId: 'string' },
  },
  call_unsettled: {
    when: 'when the settlement of a call could not be written to the ledger; the call later counts as lost',
    fields: { tenantId: 'string', callId: 'string', error: 'error' },
  },
  coordination_unavailable: {
    when: 'when the coordination store cannot be reached; model calls wait until it is available',
    fields: { error: 'error' },
  },
  coordination_available: { when: 'when the coordination store is reachable again', fields: {} },
} as const satisfies Record<string, EventDefinition>;

const serviceEvents = {
  service_started: { when: 'when a process has started and is ready', fields: { durationMs: 'number' } },
  service_stopping: { when: 'when a process starts to shut down', fields: { reason: 'string' } },
  service_stopped: { when: 'when a process has shut down', fields: { durationMs: 'number' } },
  service_failed: {
    when: 'when a process or one of its workers cannot start or continue',
    fields: { stage: 'string', error: 'error' },
  },
  shutdown_step_failed: { when: 'when a step of the shutdown fails', fields: { step: 'string', error: 'error' } },
  framework_message: {
    when: 'when the web framework logs a message',
    fields: { source: 'string', note: 'string' },
  },
  framework_error: {
    when: 'when the web framework or the queue library reports an error',
    fields: { source: 'string', error: 'error' },
  },
  http_request_complete: {
    when: 'after an HTTP request was answered',
    fields: { method: 'string', route: 'string', status: 'number', durationMs: 'number' },
  },
  http_request_error: {
    when: 'when an HTTP request failed because of a bug or an outage',
    fields: { method: 'string', route: 'string', status: 'number', error: 'error' },
  },
} as const satisfies Record<string, EventDefinition>;

const pipelineEvents = {
  batch_accepted: {
    when: 'when messages of a conversation were stored and queued for extraction',
    fields: { tenantId: 'string', batchId: 'string', messages: 'number' },
  },
  batch_deferred: {
    when: 'when a batch is deferred; with `shortfall` (micro-USD) if the reason is a budget',
    fields: { tenantId: 'string', batchId: 'string', reason: ['budget_exceeded', 'circuit_open'], until: 'string' },
  },
  batch_failed: {
    when: 'when a batch has failed: none of its memories were stored',
    fields: { tenantId: 'string', batchId: 'string', reason: 'string' },
  },
  batch_replayed: {
    when: 'when a failed batch is replayed by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', batchId: 'string', generation: 'number', byKeyId: 'string' },
  },
  category_missing: {
    when: 'when the provider `local` extracted memories of a default category that is not configured: `moved` to the nearest one, or `dropped`',
    fields: { tenantId: 'string', batchId: 'string', moved: 'number', dropped: 'number' },
  },
  procedures_not_worded: {
    when: 'when a model that was asked to word procedures gave no usable answer, so that rules worded them',
    fields: { tenantId: 'string', batchId: 'string', reason: 'string' },
  },
  writing_repaired: {
    when: 'when memories of an answer violated the writing constraints; `notRewritten` is the reason if no model rewrote them',
    fields: {
      tenantId: 'string',
      batchId: 'string',
      checked: 'number',
      passed: 'number',
      rewritten: 'number',
      trimmed: 'number',
      rejected: 'number',
    },
  },
  memory_quarantined: {
    when: 'when an extracted memory is quarantined',
    fields: { tenantId: 'string', batchId: 'string', reason: 'string' },
  },
  job_started: {
    when: 'when a worker starts an attempt of a job',
    fields: { queue: 'string', jobId: 'string', attempt: 'number' },
  },
  job_complete: {
    when: 'when a job is completed',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', durationMs: 'number', waitMs: 'number' },
  },
  job_failed: {
    when: 'when an attempt of a job fails and will be retried',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', durationMs: 'number', error: 'error' },
  },
  job_exhausted: {
    when: 'when the last attempt of a job fails, or an attempt fails with an error that a retry cannot fix',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', error: 'error' },
  },
  job_unexpected_error: {
    when: 'when an attempt of a job fails because of a bug, in addition to `job_failed` or `job_exhausted`; the process keeps running',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', error: 'error' },
  },
  job_stalled: {
    when: 'when a worker died or lost its lock while it processed a job',
    fields: { queue: 'string', jobId: 'string' },
  },
  job_lock_lost: {
    when: 'when a process was frozen or too busy to renew the lock of a job in time; it goes on with the job while the lease of the work holds',
    fields: { queue: 'string', jobId: 'string' },
  },
  job_refused: {
    when: 'when a job is rejected because of an unknown name or an invalid payload',
    fields: { queue: 'string', jobId: 'string', reason: 'string' },
  },
  outbox_released: {
    when: 'when the relay has published waiting outbox rows to the queues',
    fields: { released: 'number', durationMs: 'number' },
  },
  outbox_swept: {
    when: 'when the sweep has made published outbox rows due again because the queue had lost their jobs',
    fields: { swept: 'number' },
  },
  outbox_failed: { when: 'when a round of the outbox relay or the sweep fails', fields: { error: 'error' } },
  maintenance_run_complete: {
    when: 'after a run of a maintenance job; `isFinished` is false if another run follows immediately',
    fields: { job: 'string', done: 'number', durationMs: 'number', isFinished: 'boolean' },
  },
  maintenance_run_failed: {
    when: 'when a run of a maintenance job fails; it is retried with backoff',
    fields: { job: 'string', failures: 'number', error: 'error' },
  },
  maintenance_failed: {
    when: 'when a round of the maintenance runner fails because of a bug',
    fields: { error: 'error' },
  },
  access_log_failed: {
    when: 'when memory accesses could not be recorded because of a bug',
    fields: { dropped: 'number', error: 'error' },
  },
  event_log_failed: {
    when: 'when operational events could not be written because of a bug',
    fields: { dropped: 'number', error: 'error' },
  },
  categories_reloaded: {
    when: 'after the categories file was reloaded',
    fields: { categories: 'number', allowlists: 'number' },
  },
  categories_rejected: {
    when: 'when a changed categories file is invalid; the previous categories stay in use',
    fields: { error: 'error' },
  },
  database_unavailable: { when: 'when the database cannot be reached', fields: { error: 'error' } },
  database_available: { when: 'when the database is reachable again', fields: {} },
  queue_unavailable: { when: 'when the queue cannot be reached', fields: { error: 'error' } },
  queue_available: { when: 'when the queue is reachable again', fields: {} },
  reconciliation_decided: {
    when: 'when a model has decided how new statements relate to stored memories',
    fields: { pairs: 'number', changed: 'number', unknown: 'number' },
  },
  reconciliation_degraded: {
    when: 'when no model could decide how new statements relate to stored memories, so that all of them are added',
    fields: { reason: 'string' },
  },
  embeddings_degraded: {
    when: 'when embeddings are unavailable: queries are answered by the lexical index alone, new memories are stored without vectors',
    fields: { reason: 'string' },
  },
  rerank_degraded: {
    when: 'when a query is answered without the reranker because it failed or may not be called',
    fields: { reason: 'string', error: 'error' },
  },
} as const satisfies Record<string, EventDefinition>;

/** All events. `Object.keys(EVENTS)` is the closed set of event names. */
export const EVENTS = {
  ...llmEvents,
  ...serviceEvents,
  ...auditEvents,
  ...fileEvents,
  ...pipelineEvents,
  ...workEvents,
  ...mindEvents,
  ...appMemoryEvents,
  ...chatEvents,
  ...webhookEvents,
  ...vaultEvents,
};

export type EventName = keyof typeof EVENTS;
