import type { Dashboard } from '../panel.ts';
import { divide, highest, increase, orZero, quantile, rate } from '../promql.ts';

const CHECKPOINTS = { route: { matches: '.*checkpoints.*' } } as const;

/** Latencies against their targets, the share of turns that need a query, and what degrades answers. */
export const recall: Dashboard = {
  uid: 'annals-recall',
  title: 'Annals / Recall',
  description: 'How fast and how completely memory queries are answered.',
  panels: [
    {
      title: 'How long does a memory query take? (99 % below 150 ms)',
      unit: 'ms',
      queries: [
        { expr: quantile(0.5, 'memory_llm_query_duration_ms', { where: { phase: 'total' } }), legend: 'median' },
        { expr: quantile(0.95, 'memory_llm_query_duration_ms', { where: { phase: 'total' } }), legend: '95 %' },
        { expr: quantile(0.99, 'memory_llm_query_duration_ms', { where: { phase: 'total' } }), legend: '99 %' },
      ],
      target: { value: 150 },
      runbook: 'AnnalsQueriesSlow',
    },
    {
      title: 'How long does a recall query take? (below 200 ms)',
      unit: 'ms',
      queries: [
        { expr: quantile(0.5, 'memory_llm_recall_duration_ms'), legend: 'median' },
        { expr: quantile(0.95, 'memory_llm_recall_duration_ms'), legend: '95 %' },
      ],
      target: { value: 200 },
      runbook: 'AnnalsQueriesSlow',
    },
    {
      title: 'Which phase of a query takes the time (95 %)?',
      unit: 'ms',
      queries: [{ expr: quantile(0.95, 'memory_llm_query_duration_ms', { by: ['phase'] }), legend: '{{phase}}' }],
      runbook: 'AnnalsQueriesSlow',
    },
    {
      title: 'How long does a checkpoint take? (95 % below 100 ms)',
      unit: 'ms',
      queries: [
        {
          expr: quantile(0.95, 'memory_llm_http_request_duration_ms', { by: ['method'], where: CHECKPOINTS }),
          legend: '{{method}}',
        },
      ],
      target: { value: 100 },
      runbook: 'AnnalsDatabasePoolExhausted',
    },
    {
      title: 'Which share of the turns needs a recall query? (below 10 %)',
      unit: 'percentunit',
      queries: [
        {
          expr: divide(
            rate('memory_llm_queries_total', { where: { purpose: 'recall' } }),
            rate('memory_llm_turns_accepted_total'),
          ),
          legend: 'recall queries for each turn',
        },
      ],
      target: { value: 0.1 },
      runbook: 'AnnalsRecallShareHigh',
    },
    {
      title: 'How many queries are answered, for what?',
      unit: 'ops',
      queries: [{ expr: rate('memory_llm_queries_total', { by: ['purpose'] }), legend: '{{purpose}}' }],
      runbook: 'AnnalsQueriesDegraded',
    },
    {
      title: 'Which share of the answers is degraded?',
      unit: 'percentunit',
      queries: [
        {
          expr: divide(orZero(rate('memory_llm_query_degraded_total')), rate('memory_llm_queries_total')),
          legend: 'degraded',
        },
      ],
      target: { value: 0.01 },
      runbook: 'AnnalsQueriesDegraded',
    },
    {
      title: 'What does memory add to the first token of a chat? (median below 25 ms)',
      unit: 'ms',
      queries: [
        { expr: quantile(0.5, 'memory_llm_chat_added_ms'), legend: 'median' },
        { expr: quantile(0.95, 'memory_llm_chat_added_ms'), legend: '95 %' },
      ],
      target: { value: 25 },
      runbook: 'AnnalsQueriesSlow',
    },
    {
      title: 'What becomes of the memory of chats?',
      unit: 'ops',
      queries: [
        { expr: rate('memory_llm_chat_completions_total', { by: ['recall'] }), legend: 'recall: {{recall}}' },
        { expr: orZero(rate('memory_llm_chat_memory_failures_total')), legend: 'failed' },
      ],
      runbook: 'chat.md#when-something-fails',
    },
    {
      title: 'How many chats are open in one process?',
      unit: 'short',
      queries: [{ expr: highest('memory_llm_chat_open'), legend: 'completions' }],
      runbook: 'chat.md#cost',
    },
    {
      title: 'Are reads recorded?',
      unit: 'short',
      queries: [
        { expr: increase('memory_llm_accesses_recorded_total', { over: '1h' }), legend: 'recorded' },
        { expr: increase('memory_llm_accesses_dropped_total', { over: '1h' }), legend: 'dropped' },
      ],
      runbook: 'AnnalsRecordsDropped',
    },
    {
      title: 'Which requests are slow (95 %)?',
      unit: 'ms',
      queries: [
        {
          expr: quantile(0.95, 'memory_llm_http_request_duration_ms', { by: ['method', 'route'] }),
          legend: '{{method}} {{route}}',
        },
      ],
      runbook: 'AnnalsQueriesSlow',
    },
    {
      title: 'Which share of texts is embedded from the cache?',
      unit: 'percentunit',
      queries: [
        {
          expr: divide(
            rate('memory_llm_embedding_cache_hits_total'),
            `(${rate('memory_llm_embedding_cache_hits_total')} + ${rate('memory_llm_embedding_inputs_total')})`,
          ),
          legend: 'from the cache',
        },
      ],
      runbook: 'operating.md#embeddings',
    },
  ],
};
