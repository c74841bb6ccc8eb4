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
    help: 'Calls sent to models, by outcome: ok, aborted or an error type.',
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
    help: 'Latency of extraction, by step.',
    histogram: 'memory_llm_latency_ms',
    labels: { provider: PROVIDER, operation: STEPS },
  },
  memory_llm_latency_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'The same observations as memory_llm_latency_ms_summary, as a histogram that can be aggregated over replicas.',
    buckets: LATENCY_BUCKETS_MS,
    labels: { provider: PROVIDER, operation: STEPS },
  },
  memory_llm_tokens_total: {
    type: 'counter',
    unit: 'tokens',
    help: 'Tokens used. `input` counts all input tokens; `cache_read` and `cache_write` are included in it.',
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
    help: 'Cost of model calls, including failed calls.',
    labels: { provider: PROVIDER, model: MODEL, operation: OPERATIONS },
  },
  memory_llm_retries_total: {
    type: 'counter',
    unit: 'count',
    help: 'Retries with the same provider, by error type of the previous attempt. For `parsing` the retry is a correction.',
    labels: { provider: PROVIDER, reason: RETRY_REASONS },
  },
  memory_llm_fallbacks_total: {
    type: 'counter',
    unit: 'count',
    help: 'Fallbacks to the next provider of the chain, by the error type of the previous one or `circuit_open`.',
    labels: { from: PROVIDER, to: PROVIDER, reason: [...RETRY_REASONS, 'circuit_open'] },
  },
  memory_llm_lost_calls_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls whose worker died before their outcome was recorded. They are charged at their maximum cost.',
    labels: { provider: PROVIDER },
  },
  memory_llm_lost_cost_micro_usd_total: {
    type: 'counter',
    unit: 'micro-USD',
    help: 'Cost charged for lost calls. Not included in memory_llm_cost_micro_usd_total.',
    labels: { provider: PROVIDER },
  },
  memory_llm_unsettled_calls_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls whose settlement could not be written to the ledger. The reconciler later counts them as lost.',
    labels: { provider: PROVIDER },
  },
  memory_llm_provider_up: {
    type: 'gauge',
    unit: 'ratio',
    help: '1 if the provider is reachable and accepts the API key and the model, otherwise 0; as of the last call or health check.',
    labels: { provider: PROVIDER, model: MODEL },
  },
} as const satisfies Record<string, MetricDefinition>;

const answerMetrics = {
  memory_llm_json_repairs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts to repair the JSON of a model answer, by outcome.',
    labels: { outcome: REPAIR_OUTCOMES },
  },
  memory_llm_stream_repairs_total: {
    type: 'counter',
    unit: 'count',
    help: 'Attempts to repair a model answer whose stream ended early, by outcome.',
    labels: { outcome: REPAIR_OUTCOMES },
  },
  memory_llm_parse_failures_total: {
    type: 'counter',
    unit: 'count',
    help: 'Model answers that could not be parsed.',
    labels: { provider: PROVIDER },
  },
  memory_llm_schema_adaptations_total: {
    type: 'counter',
    unit: 'count',
    help: 'Model answers in another form of the response schema that were adapted, by form.',
    labels: { from: { bounded: 'the schema adapters in the code' } },
  },
  memory_llm_memories_dropped_total: {
    type: 'counter',
    unit: 'count',
    help: 'Memories of a model answer dropped because they were incomplete or did not match the response schema.',
    labels: { provider: PROVIDER },
  },
  memory_llm_answers_truncated_total: {
    type: 'counter',
    unit: 'count',
    help: 'Model answers truncated, mostly at MEMORY_LLM_MAX_OUTPUT_TOKENS, of which only the complete memories were used.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_token_estimate_misses_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls whose input token estimate was off by more than 5 percent.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_messages_pruned_total: {
    type: 'counter',
    unit: 'count',
    help: 'Messages pruned from prompts because the batch exceeded the token cap and their salience was lower.',
    labels: {},
  },
  memory_llm_context_cache_total: {
    type: 'counter',
    unit: 'count',
    help: 'Lookups in the message analysis cache, by outcome.',
    labels: { outcome: ['hit', 'miss'] },
  },
} as const satisfies Record<string, MetricDefinition>;

/** There is no tenant label, because tenants are unbounded. Their alerts and rejections are log events. */
const BUDGET_SCOPES = ['deployment', 'tenant', 'provider'] as const;

const admissionMetrics = {
  memory_llm_budget_utilization_percent: {
    type: 'gauge',
    unit: 'percent',
    help: 'Share of the daily budget (UTC) spent, of the deployment (provider `all`) and of each provider with a budget.',
    labels: { scope: ['deployment', 'provider'], provider: PROVIDER },
  },
  memory_llm_budget_alerts_total: {
    type: 'counter',
    unit: 'count',
    help: 'Alerts that 70, 90 or 100 percent of a budget are spent; at most one per budget, threshold and day across all processes.',
    labels: { scope: BUDGET_SCOPES, threshold: ['70', '90', '100'] },
  },
  memory_llm_budget_rejections_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls rejected because they would exceed a budget. `budget_too_small`: the call alone can cost more than the whole budget.',
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
    help: 'State changes of the circuit breaker, by new state; each is counted by one process only.',
    labels: { provider: PROVIDER, model: MODEL, state: CIRCUIT_STATES },
  },
  memory_llm_circuit_refusals_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls not sent because the circuit breaker was open.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_rate_limiter_waits_total: {
    type: 'counter',
    unit: 'count',
    help: 'Calls delayed by the rate limiter, by reason.',
    labels: { provider: PROVIDER, model: MODEL, reason: ['requests', 'tokens', 'pace', 'share', 'blocked'] },
  },
  memory_llm_rate_limiter_wait_ms: {
    type: 'histogram',
    unit: 'ms',
    help: 'Delay that the rate limiter imposed on a call.',
    buckets: WAIT_BUCKETS_MS,
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_rate_limiter_utilization_percent: {
    type: 'gauge',
    unit: 'percent',
    help: 'Utilization of the more exhausted of the two limits (requests and tokens per minute), as last seen by this process.',
    labels: { provider: PROVIDER, model: MODEL },
  },
  memory_llm_coordination_errors_total: {
    type: 'counter',
    unit: 'count',
    help: 'Failed requests to the coordination store. Model calls wait until it is available; the reconciler catches up on settlements.',
    labels: { part: ['admission', 'breaker', 'budgets'] },
  },
} as const satisfies Record<string, MetricDefinition>;

/** Metrics of the model layer (docs/reference/logging-and-metrics.md#metrics-manifest). */
export const modelMetrics = { ...callMetrics, ...answerMetrics, ...admissionMetrics };
