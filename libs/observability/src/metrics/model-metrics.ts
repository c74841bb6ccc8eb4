import { CIRCUIT_STATES, LLM_ERROR_TYPES } from '../logging/events.js';
import {
  counter,
  gauge,
  histogram,
  type MetricDefinition,
  MODEL,
  PROVIDER,
  summary,
  WAIT_BUCKETS_MS,
} from './definition.js';

const STEPS = ['provider_call', 'parsing', 'total', 'first_token'] as const;
const OPERATIONS = [
  'extraction',
  'embedding',
  'rerank',
  'reconciliation',
  'writing',
  'multi_fact',
  'procedural',
  'insights',
  'consolidation',
  'summary',
  'app_memory',
  'app_compaction',
  'chat',
] as const;
const RETRY_REASONS = ['rate_limit', 'timeout', 'transient', 'parsing'] as const;
const REPAIR_OUTCOMES = ['success', 'failure'] as const;

const callMetrics = {
  memory_llm_requests_total: counter('Calls sent to models, by outcome: ok, aborted or an error type.', {
    provider: PROVIDER,
    model: MODEL,
    operation: OPERATIONS,
    outcome: ['ok', 'aborted', ...LLM_ERROR_TYPES],
  }),
  memory_llm_latency_ms_summary: summary('Latency of extraction, by step.', 'memory_llm_latency_ms', {
    provider: PROVIDER,
    operation: STEPS,
  }),
  memory_llm_latency_ms: histogram(
    'The same observations as memory_llm_latency_ms_summary, as a histogram that can be aggregated over replicas.',
    { provider: PROVIDER, operation: STEPS },
  ),
  memory_llm_tokens_total: counter(
    'Tokens used. `input` counts all input tokens; `cache_read` and `cache_write` are included in it.',
    {
      provider: PROVIDER,
      model: MODEL,
      operation: OPERATIONS,
      direction: ['input', 'output', 'cache_read', 'cache_write'],
    },
    'tokens',
  ),
  memory_llm_cost_micro_usd_total: counter(
    'Cost of model calls, including failed calls.',
    { provider: PROVIDER, model: MODEL, operation: OPERATIONS },
    'micro-USD',
  ),
  memory_llm_retries_total: counter(
    'Retries with the same provider, by error type of the previous attempt. For `parsing` the retry is a correction.',
    { provider: PROVIDER, reason: RETRY_REASONS },
  ),
  memory_llm_fallbacks_total: counter(
    'Fallbacks to the next provider of the chain, by the error type of the previous one or `circuit_open`.',
    { from: PROVIDER, to: PROVIDER, reason: [...RETRY_REASONS, 'circuit_open'] },
  ),
  memory_llm_lost_calls_total: counter(
    'Calls whose worker died before their outcome was recorded. They are charged at their maximum cost.',
    { provider: PROVIDER },
  ),
  memory_llm_lost_cost_micro_usd_total: counter(
    'Cost charged for lost calls. Not included in memory_llm_cost_micro_usd_total.',
    { provider: PROVIDER },
    'micro-USD',
  ),
  memory_llm_unsettled_calls_total: counter(
    'Calls whose settlement could not be written to the ledger. The reconciler later counts them as lost.',
    { provider: PROVIDER },
  ),
  memory_llm_provider_up: gauge(
    '1 if the provider is reachable and accepts the API key and the model, otherwise 0; as of the last call or health check.',
    { provider: PROVIDER, model: MODEL },
    'ratio',
  ),
} satisfies Record<string, MetricDefinition>;

const answerMetrics = {
  memory_llm_json_repairs_total: counter('Attempts to repair the JSON of a model answer, by outcome.', {
    outcome: REPAIR_OUTCOMES,
  }),
  memory_llm_stream_repairs_total: counter('Attempts to repair a model answer whose stream ended early, by outcome.', {
    outcome: REPAIR_OUTCOMES,
  }),
  memory_llm_parse_failures_total: counter('Model answers that could not be parsed.', { provider: PROVIDER }),
  memory_llm_schema_adaptations_total: counter(
    'Model answers in another form of the response schema that were adapted, by form.',
    { from: { bounded: 'the schema adapters in the code' } },
  ),
  memory_llm_memories_dropped_total: counter(
    'Memories of a model answer dropped because they were incomplete or did not match the response schema.',
    { provider: PROVIDER },
  ),
  memory_llm_answers_truncated_total: counter(
    'Model answers truncated, mostly at MEMORY_LLM_MAX_OUTPUT_TOKENS, of which only the complete memories were used.',
    { provider: PROVIDER, model: MODEL },
  ),
  memory_llm_token_estimate_misses_total: counter('Calls whose input token estimate was off by more than 5 percent.', {
    provider: PROVIDER,
    model: MODEL,
  }),
  memory_llm_messages_pruned_total: counter(
    'Messages pruned from prompts because the batch exceeded the token cap and their salience was lower.',
    {},
  ),
  memory_llm_context_cache_total: counter('Lookups in the message analysis cache, by outcome.', {
    outcome: ['hit', 'miss'],
  }),
} satisfies Record<string, MetricDefinition>;

/** There is no tenant label, because tenants are unbounded. Their alerts and rejections are log events. */
const BUDGET_SCOPES = ['deployment', 'tenant', 'provider'] as const;

const admissionMetrics = {
  memory_llm_budget_utilization_percent: gauge(
    'Share of the daily budget (UTC) spent, of the deployment (provider `all`) and of each provider with a budget.',
    { scope: ['deployment', 'provider'], provider: PROVIDER },
    'percent',
  ),
  memory_llm_budget_alerts_total: counter(
    'Alerts that 70, 90 or 100 percent of a budget are spent; at most one per budget, threshold and day across all processes.',
    { scope: BUDGET_SCOPES, threshold: ['70', '90', '100'] },
  ),
  memory_llm_budget_rejections_total: counter(
    'Calls rejected because they would exceed a budget. `budget_too_small`: the call alone can cost more than the whole budget.',
    { scope: BUDGET_SCOPES, reason: ['budget_exceeded', 'budget_too_small'] },
  ),
  memory_llm_budget_rebuilds_total: counter('Times the budget counters were rebuilt from the ledger.', {}),
  memory_llm_circuit_state: gauge('State of the circuit breaker: 0 closed, 1 open, 2 half-open.', {
    provider: PROVIDER,
    model: MODEL,
  }),
  memory_llm_circuit_transitions_total: counter(
    'State changes of the circuit breaker, by new state; each is counted by one process only.',
    { provider: PROVIDER, model: MODEL, state: CIRCUIT_STATES },
  ),
  memory_llm_circuit_refusals_total: counter('Calls not sent because the circuit breaker was open.', {
    provider: PROVIDER,
    model: MODEL,
  }),
  memory_llm_rate_limiter_waits_total: counter('Calls delayed by the rate limiter, by reason.', {
    provider: PROVIDER,
    model: MODEL,
    reason: ['requests', 'tokens', 'pace', 'share', 'blocked'],
  }),
  memory_llm_rate_limiter_wait_ms: histogram(
    'Delay that the rate limiter imposed on a call.',
    { provider: PROVIDER, model: MODEL },
    WAIT_BUCKETS_MS,
  ),
  memory_llm_rate_limiter_utilization_percent: gauge(
    'Utilization of the more exhausted of the two limits (requests and tokens per minute), as last seen by this process.',
    { provider: PROVIDER, model: MODEL },
    'percent',
  ),
  memory_llm_coordination_errors_total: counter(
    'Failed requests to the coordination store. Model calls wait until it is available; the reconciler catches up on settlements.',
    { part: ['admission', 'breaker', 'budgets'] },
  ),
} satisfies Record<string, MetricDefinition>;

/** Metrics of the model layer (docs/reference/logging-and-metrics.md#metrics-manifest). */
export const modelMetrics = { ...callMetrics, ...answerMetrics, ...admissionMetrics };
