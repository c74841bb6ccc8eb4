import { CIRCUIT_STATES, LLM_ERROR_TYPES } from '../logging/events.js';
import { LATENCY_BUCKETS_MS, type MetricDefinition, WAIT_BUCKETS_MS } from './definition.js';
import { MODEL, PROVIDER } from './labels.js';

const STEPS = ['provider_call', 'parsing', 'total', 'first_token'] as const;
const OPERATIONS = [
  'extraction',
  'embedding',
  'rerank',
  'reconciliation',
  'writing',
  'multi_fact',
  'procedural',
] as const;
const RETRY_REASONS = ['rate_limit', 'timeout', 'transient', 'parsing'] as const;
const REPAIR_OUTCOMES = ['success', 'failure'] as const;

const callMetrics = {
  memory_llm_requests_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls of models that were sent, by how they ended.',
    labels: {
      provider: PROVIDER,
      model: MODEL,
      operation: OPERATIONS,
      outcome: ['ok', 'aborted', ...LLM_ERROR_TYPES],
    },
  },
  memory_llm_latency_ms_summary: {
    type: 'summary',
    unit: 'ms',
    help: 'Time of an extraction, by step.',
    histogram: 'memory_llm_latency_ms',
    labels: { provider: PROVIDER, operation: STEPS },
  },
  memory_llm_latency_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'The same observations as memory_llm_latency_ms_summary, to be added up over replicas.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { provider: PROVIDER, operation: STEPS },
  },
  memory_llm_tokens_total: {
    type: 'counter',
    unit: 'tokens',
    help: 'Tokens used. `input` is everything that was read; `cache_read` and `cache_write` are parts of it.',
    labels: {
      provider: PROVIDER,
      model: MODEL,
      operation: OPERATIONS,
      direction: ['input', 'output', 'cache_read', 'cache_write'],
    },
  },
  memory_llm_cost_micro_usd_total: {
    type: 'counter',
    unit: 'micro-USD',
    help: 'Money spent, by calls that failed too.',
    labels: { provider: PROVIDER, model: MODEL, operation: OPERATIONS },
  },
  memory_llm_retries_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls repeated with the same provider, by the error before; for parsing, the corrective one.',
    labels: { provider: PROVIDER, reason: RETRY_REASONS },
  },
  memory_llm_fallbacks_total: {
    type: 'counter',
    unit: 'count',
    help: 'Times another provider took over, by what had happened to the one before it.',
    labels: { from: PROVIDER, to: PROVIDER, reason: [...RETRY_REASONS, 'circuit_open'] },
  },
  memory_llm_lost_calls_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls whose worker died: charged in full.',
    labels: { provider: PROVIDER },
  },
  memory_llm_lost_cost_micro_usd_total: {
    type: 'counter',
    unit: 'micro-USD',
    help: 'What lost calls were charged. Not part of memory_llm_cost_micro_usd_total.',
    labels: { provider: PROVIDER },
  },
  memory_llm_unsettled_calls_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls whose end could not be written down. They count as lost later.',
    labels: { provider: PROVIDER },
  },
  memory_llm_provider_up: {
    type: 'gauge',
    unit: 'ratio',
    help: '1 when the provider answers and knows key and model, 0 when not; by the last call or check.',
    labels: { provider: PROVIDER, model: MODEL },
  },
} as const satisfies Record<string, MetricDefinition>;

const answerMetrics = {
  memory_llm_json_repairs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts to repair the JSON of an answer.',
    labels: { outcome: REPAIR_OUTCOMES },
  },
  memory_llm_stream_repairs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts to repair an answer whose stream was cut.',
    labels: { outcome: REPAIR_OUTCOMES },
  },
  memory_llm_parse_failures_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers that could not be read.',
    labels: { provider: PROVIDER },
  },
  memory_llm_schema_adaptations_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers in an older or other form of the schema that were read all the same.',
    labels: { from: { bounded: 'the forms in the code' } },
  },
  memory_llm_memories_dropped_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories of an answer left out because they were incomplete or not of the agreed shape.',
    labels: { provider: PROVIDER },
  },
  memory_llm_answers_truncated_total: {
    type: 'counter',
    unit: 'count',
    help: 'Answers that were cut, mostly at MEMORY_LLM_MAX_OUTPUT_TOKENS, and of which only the memories before the cut were kept.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_token_estimate_misses_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls whose input was estimated wrong by more than 5 percent.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_messages_pruned_total: {
    type: 'counter',
    unit: 'count',
    help: 'Messages not shown to a model, since others of their batch said more.',
    labels: {},
  },
  memory_llm_context_cache_total: {
    type: 'counter',
    unit: 'count',
    help: 'Lookups in the cache of analysed messages.',
    labels: { outcome: ['hit', 'miss'] },
  },
} as const satisfies Record<string, MetricDefinition>;

/** Tenants are not among the labels: there can be many. Their alerts and refusals are log events. */
const BUDGET_SCOPES = ['deployment', 'tenant', 'provider'] as const;

const admissionMetrics = {
  memory_llm_budget_utilization_percent: {
    type: 'gauge',
    unit: 'percent',
    help: 'Money spent today (UTC) of the budget of the deployment (provider `all`) and of providers that have one.',
    labels: { scope: ['deployment', 'provider'], provider: PROVIDER },
  },
  memory_llm_budget_alerts_total: {
    type: 'counter',
    unit: 'count',
    help: 'Budgets of which 70, 90 or 100 percent are spent: once a day for each, over all processes.',
    labels: { scope: BUDGET_SCOPES, threshold: ['70', '90', '100'] },
  },
  memory_llm_budget_rejections_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls refused because a budget would be exceeded; `budget_too_small` ones cost more than the whole budget.',
    labels: { scope: BUDGET_SCOPES, reason: ['budget_exceeded', 'budget_too_small'] },
  },
  memory_llm_budget_rebuilds_total: {
    type: 'counter',
    unit: 'count',
    help: 'Times the budget counters were rebuilt from the ledger.',
    labels: {},
  },
  memory_llm_circuit_state: {
    type: 'gauge',
    unit: 'count',
    help: 'State of the circuit breaker: 0 closed, 1 open, 2 half-open.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_circuit_transitions_total: {
    type: 'counter',
    unit: 'count',
    help: 'Changes of the circuit breaker, by the state it came to; each is counted by one process.',
    labels: { provider: PROVIDER, model: MODEL, state: CIRCUIT_STATES },
  },
  memory_llm_circuit_refusals_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls not sent because the circuit was open.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_rate_limiter_waits_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls that the rate limiter delayed.',
    labels: { provider: PROVIDER, model: MODEL, reason: ['requests', 'tokens', 'pace', 'share', 'blocked'] },
  },
  memory_llm_rate_limiter_wait_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Time by which the rate limiter delays a call.',
    buckets: WAIT_BUCKETS_MS,
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_rate_limiter_utilization_percent: {
    type: 'gauge',
    unit: 'percent',
    help: 'Use of the tighter of the limits per minute, as this process last saw it.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_coordination_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Requests that the coordination store did not answer. Calls wait; settlements are caught up.',
    labels: { part: ['breaker', 'rates', 'budgets'] },
  },
} as const satisfies Record<string, MetricDefinition>;

/** Metrics of the model layer (docs/reference/logging-and-metrics.md#metrics-manifest). */
export const modelMetrics = { ...callMetrics, ...answerMetrics, ...admissionMetrics };
