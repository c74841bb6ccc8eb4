import type { Dashboard, Panel } from '../panel.ts';
import { divide, highest, increase, lowest, orZero, quantile, rate } from '../promql.ts';

const money: readonly Panel[] = [
  {
    title: 'What does an hour cost, by operation?',
    unit: 'currencyUSD',
    queries: [
      {
        expr: `${rate('memory_llm_cost_micro_usd_total', { by: ['operation'] })} * 3600 / 1000000`,
        legend: '{{operation}}',
      },
    ],
    runbook: 'AnnalsSpendWhileIdle',
  },
  {
    title: 'What does a memory cost?',
    unit: 'currencyUSD',
    queries: [
      {
        expr: `${divide(rate('memory_llm_cost_micro_usd_total'), rate('memory_llm_persist_inserted_total'))} / 1000000`,
        legend: 'all operations, for each memory inserted',
      },
    ],
    runbook: 'operating.md#cost-reporting',
  },
  {
    title: 'Will today’s budgets last until midnight UTC?',
    unit: 'percent',
    queries: [
      {
        expr: highest('memory_llm_budget_utilization_percent', { by: ['scope', 'provider'] }),
        legend: 'spent: {{scope}} {{provider}}',
      },
      { expr: 'vector(100 * (time() % 86400) / 86400)', legend: 'of the day gone' },
    ],
    target: { value: 100 },
    runbook: 'AnnalsBudget90',
  },
  {
    title: 'Which calls do budgets reject?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_budget_rejections_total', { by: ['scope', 'reason'], over: '1h' }),
        legend: '{{scope}}: {{reason}}',
      },
    ],
    runbook: 'AnnalsBudget100',
  },
  {
    title: 'How many tokens are used?',
    unit: 'ops',
    queries: [{ expr: rate('memory_llm_tokens_total', { by: ['direction'] }), legend: '{{direction}}' }],
    runbook: 'operating.md#cost-reporting',
  },
  {
    title: 'Which share of the input tokens comes from the provider’s cache?',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(
          rate('memory_llm_tokens_total', { where: { direction: 'cache_read' } }),
          rate('memory_llm_tokens_total', { where: { direction: 'input' } }),
        ),
        legend: 'cached',
      },
    ],
    runbook: 'operating.md#cost-reporting',
  },
];

const calls: readonly Panel[] = [
  {
    title: 'How many calls are sent, by operation?',
    unit: 'ops',
    queries: [{ expr: rate('memory_llm_requests_total', { by: ['operation'] }), legend: '{{operation}}' }],
    runbook: 'AnnalsProviderDown',
  },
  {
    title: 'How do calls end?',
    unit: 'ops',
    queries: [
      { expr: rate('memory_llm_requests_total', { by: ['provider', 'outcome'] }), legend: '{{provider}}: {{outcome}}' },
    ],
    runbook: 'AnnalsCircuitOpen',
  },
  {
    title: 'How long does a call take? (median below 1200 ms)',
    unit: 'ms',
    queries: [
      {
        expr: quantile(0.5, 'memory_llm_latency_ms', { by: ['provider'], where: { operation: 'provider_call' } }),
        legend: '{{provider}}: median',
      },
      {
        expr: quantile(0.95, 'memory_llm_latency_ms', { by: ['provider'], where: { operation: 'provider_call' } }),
        legend: '{{provider}}: 95 %',
      },
    ],
    target: { value: 1_200 },
    runbook: 'AnnalsProviderDown',
  },
  {
    title: 'Which share of the calls falls back to another provider? (below 10 %)',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(
          orZero(rate('memory_llm_fallbacks_total')),
          rate('memory_llm_requests_total', { where: { operation: 'extraction' } }),
        ),
        legend: 'fallbacks',
      },
    ],
    target: { value: 0.1 },
    runbook: 'AnnalsFallbackShareHigh',
  },
  {
    title: 'Which providers can be used?',
    unit: 'bool',
    queries: [
      { expr: lowest('memory_llm_provider_up', { by: ['provider', 'model'] }), legend: '{{provider}} {{model}}' },
    ],
    runbook: 'AnnalsProviderDown',
  },
  {
    title: 'Which circuit breakers are open? (0 closed, 1 open, 2 half-open)',
    unit: 'none',
    queries: [
      { expr: highest('memory_llm_circuit_state', { by: ['provider', 'model'] }), legend: '{{provider}} {{model}}' },
    ],
    runbook: 'AnnalsCircuitOpen',
  },
  {
    title: 'How much of the providers’ rate limits is used?',
    unit: 'percent',
    queries: [
      {
        expr: highest('memory_llm_rate_limiter_utilization_percent', { by: ['provider', 'model'] }),
        legend: '{{provider}} {{model}}',
      },
    ],
    target: { value: 100 },
    runbook: 'operating.md#circuit-breaker-and-rate-limiter',
  },
  {
    title: 'How often does the rate limiter delay calls, and why?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_rate_limiter_waits_total', { by: ['reason'], over: '1h' }), legend: '{{reason}}' },
    ],
    runbook: 'operating.md#circuit-breaker-and-rate-limiter',
  },
  {
    title: 'Which errors are retried?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_retries_total', { by: ['reason'], over: '1h' }), legend: '{{reason}}' }],
    runbook: 'AnnalsProviderDown',
  },
  {
    title: 'How many calls were lost with their worker?',
    unit: 'short',
    queries: [{ expr: orZero(increase('memory_llm_lost_calls_total', { over: '1h' })), legend: 'lost' }],
    runbook: 'AnnalsCallsLost',
  },
];

const answers: readonly Panel[] = [
  {
    title: 'Can answers be read?',
    unit: 'short',
    queries: [
      { expr: orZero(increase('memory_llm_parse_failures_total', { over: '1h' })), legend: 'unreadable' },
      {
        expr: increase('memory_llm_json_repairs_total', { by: ['outcome'], over: '1h' }),
        legend: 'repairs: {{outcome}}',
      },
      { expr: orZero(increase('memory_llm_answers_truncated_total', { over: '1h' })), legend: 'truncated' },
    ],
    runbook: 'AnnalsAnswersUnreadable',
  },
  {
    title: 'How many embedding calls are sent, and how many are saved?',
    unit: 'ops',
    queries: [
      { expr: rate('memory_llm_embedding_calls_total', { by: ['outcome'] }), legend: 'calls: {{outcome}}' },
      { expr: rate('memory_llm_embedding_cache_hits_total'), legend: 'from the cache' },
    ],
    runbook: 'operating.md#embeddings',
  },
];

/** Calls, tokens, cost, budgets against the time of day, breaker, limiter, fallbacks. */
export const modelsAndMoney: Dashboard = {
  uid: 'annals-models',
  title: 'Annals / Models and money',
  description: 'What providers are asked, what they answer and what it costs.',
  panels: [...money, ...calls, ...answers],
};
