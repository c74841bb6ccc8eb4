/**
 * Every event the project may log, with the fields that must come along. Types, sanitisation and docs/events.md are
 * made from this table (docs/reference/logging-and-metrics.md#event-names): an event that is not here does not compile.
 */

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

/** States of the circuit breaker as logs and metrics spell them. */
export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;

/** The kind of a field: a primitive, tokens used by a call, a described error, or a closed set of words. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'tokenUsage' | 'error' | readonly string[];

export interface EventDefinition {
  /** When it is logged: the rest of a sentence that starts with the event. */
  readonly when: string;
  /** Fields without which the event says nothing. Envelope names stay on top; the others go under `context`. */
  readonly fields: Readonly<Record<string, FieldKind>>;
}

const llmEvents = {
  provider_call_start: { when: 'before a request is sent', fields: { model: 'string', provider: 'string' } },
  provider_call_complete: {
    when: 'after a successful answer of a provider',
    fields: { durationMs: 'number', costMicroUSD: 'number', tokenUsage: 'tokenUsage' },
  },
  provider_call_error: {
    when: 'after a call that failed, once its error is classified',
    fields: { errorType: LLM_ERROR_TYPES, attempt: 'number' },
  },
  parsing_repair_attempt: {
    when: 'after each attempt to repair an answer',
    fields: { attempt: 'number', success: 'boolean' },
  },
  parsing_repair_failure: { when: 'when an answer cannot be repaired', fields: { errorType: ['parsing'] } },
  fallback_activated: {
    when: 'when the fallback provider takes over',
    fields: { from: 'string', to: 'string', reason: 'string' },
  },
  circuit_state_change: {
    when: 'after the breaker changed its state and its gauge',
    fields: { previousState: CIRCUIT_STATES, circuitState: CIRCUIT_STATES, failureRate: 'number' },
  },
  budget_threshold: {
    when: 'when spending reaches 70, 90 or 100 percent of a budget',
    fields: { budgetUtilization: 'number', spentUSD: 'number', budgetUSD: 'number' },
  },
  budget_rejection: {
    when: 'when a call is refused because a budget would be exceeded; both in micro-USD',
    fields: { projectedCost: 'number', shortfall: 'number' },
  },
  persistence_batch_commit: {
    when: 'when the write transaction of a batch has committed',
    fields: { batchSize: 'number', inserted: 'number', updated: 'number', skipped_duplicate: 'number' },
  },
  persistence_batch_rollback: {
    when: 'when the write transaction of a batch was rolled back',
    fields: { reason: 'string' },
  },
  first_token_latency: { when: 'at the first chunk of a streamed answer', fields: { firstTokenMs: 'number' } },
  stream_repair_attempt: { when: 'after an attempt to repair a streamed answer', fields: { success: 'boolean' } },
  schema_adapted: {
    when: 'when an answer in another form of the schema was read all the same',
    fields: { from: 'string' },
  },
  answer_truncated: {
    when: 'when an answer was cut and only the memories before the cut are kept',
    fields: { model: 'string', provider: 'string', retained: 'number', dropped: 'number' },
  },
  messages_pruned: {
    when: 'when messages of a batch are not shown to the model, since others say more',
    fields: { batchId: 'string', prunedCount: 'number', estimatedTokens: 'number' },
  },
  token_estimate_missed: {
    when: 'when the tokens of a call differ from their estimate by more than 5 percent',
    fields: {
      model: 'string',
      provider: 'string',
      estimatedTokens: 'number',
      usedTokens: 'number',
      variancePercent: 'number',
    },
  },
  provider_health_change: {
    when: 'when a provider stops or starts to be usable; `problem` says what to do',
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
    when: 'when the call of a dead worker was charged in full',
    fields: { tenantId: 'string', callId: 'string', provider: 'string', costMicroUSD: 'number' },
  },
  reconcile_failed: {
    when: 'when ledger and budget counters could not be compared, through a bug',
    fields: { error: 'error' },
  },
  call_unsettled: {
    when: 'when the end of a call could not be written down, so that it counts as lost later',
    fields: { tenantId: 'string', callId: 'string', error: 'error' },
  },
  coordination_unavailable: {
    when: 'when the store that processes coordinate by cannot be reached; calls of models wait',
    fields: { error: 'error' },
  },
  coordination_available: { when: 'when that store answers again', fields: {} },
} as const satisfies Record<string, EventDefinition>;

const serviceEvents = {
  service_started: { when: 'when a process is ready for work', fields: { durationMs: 'number' } },
  service_stopping: { when: 'when a process was told to stop', fields: { reason: 'string' } },
  service_stopped: { when: 'when everything is closed', fields: { durationMs: 'number' } },
  service_failed: { when: 'when a process cannot start or go on', fields: { stage: 'string', error: 'error' } },
  shutdown_step_failed: { when: 'when one step of a shutdown fails', fields: { step: 'string', error: 'error' } },
  framework_message: {
    when: 'when the web framework logs a message',
    fields: { source: 'string', note: 'string' },
  },
  framework_error: { when: 'when the web framework reports an error', fields: { source: 'string', error: 'error' } },
  http_request_complete: {
    when: 'after a request was answered',
    fields: { method: 'string', route: 'string', status: 'number', durationMs: 'number' },
  },
  http_request_error: {
    when: 'when a request failed through a bug or an outage',
    fields: { method: 'string', route: 'string', status: 'number', error: 'error' },
  },
  key_created: {
    when: 'after an API key was made; `byKeyId` is the key that made it',
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string' },
  },
  key_revoked: {
    when: 'after an API key was revoked, by the key `byKeyId`',
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string' },
  },
  user_erased: {
    when: 'after everything about a user was erased; `rows` were deleted or stripped, and the receipt names whose',
    fields: { tenantId: 'string', receiptId: 'string', rows: 'number' },
  },
  conversation_forgotten: {
    when: 'after a conversation was forgotten, with the memories that rested on it alone',
    fields: { tenantId: 'string', conversationId: 'string', messages: 'number', memoriesDeleted: 'number' },
  },
  tenant_created: {
    when: 'after a tenant was made, by the key `byKeyId`',
    fields: { tenantId: 'string', byKeyId: 'string' },
  },
  tenant_deleted: {
    when: 'after a tenant and everything it held were deleted, by the key `byKeyId`',
    fields: { tenantId: 'string', byKeyId: 'string', rows: 'number' },
  },
  budget_changed: {
    when: 'after a daily budget was changed, by the key `byKeyId`; both limits in micro-USD, 0 for none; a tenant’s with `tenantId`',
    fields: {
      scope: ['deployment', 'claude', 'openai', 'tenant'],
      fromMicroUSD: 'number',
      toMicroUSD: 'number',
      byKeyId: 'string',
    },
  },
} as const satisfies Record<string, EventDefinition>;

const pipelineEvents = {
  batch_accepted: {
    when: 'when messages of a conversation are stored and queued',
    fields: { tenantId: 'string', batchId: 'string', messages: 'number' },
  },
  batch_deferred: {
    when: 'when a batch is deferred; with `shortfall` (micro-USD) when a budget is why',
    fields: { tenantId: 'string', batchId: 'string', reason: ['budget_exceeded', 'circuit_open'], until: 'string' },
  },
  batch_failed: {
    when: 'when a batch ends without its memories',
    fields: { tenantId: 'string', batchId: 'string', reason: 'string' },
  },
  batch_replayed: {
    when: 'when a failed batch is run again',
    fields: { tenantId: 'string', batchId: 'string', generation: 'number' },
  },
  category_missing: {
    when: 'when rules found memories of a shipped category that is not configured: moved to the nearest, or dropped',
    fields: { tenantId: 'string', batchId: 'string', moved: 'number', dropped: 'number' },
  },
  writing_repaired: {
    when: 'when memories of an answer broke the writing constraints; `notRewritten` says why no model rewrote them',
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
  job_started: { when: 'when a worker takes a job', fields: { queue: 'string', jobId: 'string', attempt: 'number' } },
  job_complete: {
    when: 'when a job is finished',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', durationMs: 'number', waitMs: 'number' },
  },
  job_failed: {
    when: 'when an attempt of a job fails and another may follow',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', durationMs: 'number', error: 'error' },
  },
  job_exhausted: {
    when: 'when the last attempt of a job fails, or one that no retry can fix',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', error: 'error' },
  },
  job_unexpected_error: {
    when: 'when an attempt of a job fails through a bug, beside the line that tells of the attempt; the process goes on',
    fields: { queue: 'string', jobId: 'string', attempt: 'number', error: 'error' },
  },
  job_stalled: { when: 'when a worker vanished while it held a job', fields: { queue: 'string', jobId: 'string' } },
  job_refused: {
    when: 'when a job has an unknown name or payload',
    fields: { queue: 'string', jobId: 'string', reason: 'string' },
  },
  outbox_released: {
    when: 'when the relay has put waiting work on the queues',
    fields: { released: 'number', durationMs: 'number' },
  },
  outbox_swept: { when: 'when the sweep has found released work whose job is gone', fields: { swept: 'number' } },
  outbox_failed: { when: 'when a round of the relay fails', fields: { error: 'error' } },
  maintenance_run_complete: {
    when: 'after a run of a maintenance job; `isFinished` unless it goes on at once',
    fields: { job: 'string', done: 'number', durationMs: 'number', isFinished: 'boolean' },
  },
  maintenance_run_failed: {
    when: 'when a run of a maintenance job fails; it is tried again later and later',
    fields: { job: 'string', failures: 'number', error: 'error' },
  },
  maintenance_failed: {
    when: 'when the runner of maintenance jobs cannot go on, through a bug',
    fields: { error: 'error' },
  },
  access_log_failed: {
    when: 'when reads of memories could not be noted, through a bug',
    fields: { dropped: 'number', error: 'error' },
  },
  event_log_failed: {
    when: 'when operational events could not be written, through a bug',
    fields: { dropped: 'number', error: 'error' },
  },
  categories_reloaded: {
    when: 'after the file of categories was read anew',
    fields: { categories: 'number', allowlists: 'number' },
  },
  categories_rejected: {
    when: 'when a changed file of categories cannot be used and the categories stay as they were',
    fields: { error: 'error' },
  },
  database_unavailable: { when: 'when the database cannot be reached', fields: { error: 'error' } },
  database_available: { when: 'when the database answers again', fields: {} },
  queue_unavailable: { when: 'when the queue cannot be reached', fields: { error: 'error' } },
  queue_available: { when: 'when the queue answers again', fields: {} },
  reconciliation_decided: {
    when: 'when a model has decided how new statements relate to stored memories',
    fields: { pairs: 'number', changed: 'number', unknown: 'number' },
  },
  reconciliation_degraded: {
    when: 'when no model decided about new statements, so that all of them are added',
    fields: { reason: 'string' },
  },
  embeddings_degraded: { when: 'when vectors are missing and the answer is lexical', fields: { reason: 'string' } },
  rerank_degraded: {
    when: 'when a query is answered without the reranker, which failed or may not be called',
    fields: { reason: 'string', error: 'error' },
  },
} as const satisfies Record<string, EventDefinition>;

/** The whole table. `Object.keys(EVENTS)` is the closed set of event names. */
export const EVENTS = { ...llmEvents, ...serviceEvents, ...pipelineEvents };

export type EventName = keyof typeof EVENTS;
