import type { Dashboard } from '../panel.ts';
import { divide, highest, orZero, quantile, rate } from '../promql.ts';

/** Accepted, remembered, answered, waiting, money. */
export const overview: Dashboard = {
  uid: 'annals-overview',
  title: 'Annals / Overview',
  description: 'Is everything all right: what is accepted, remembered and answered, what waits, and what it costs.',
  panels: [
    {
      title: 'How many messages are accepted?',
      unit: 'ops',
      queries: [
        { expr: rate('memory_llm_messages_accepted_total'), legend: 'accepted' },
        { expr: rate('memory_llm_messages_duplicate_total'), legend: 'sent again' },
      ],
      runbook: 'AnnalsApiErrors',
    },
    {
      title: 'How many memories are written?',
      unit: 'ops',
      queries: [
        { expr: rate('memory_llm_persist_inserted_total'), legend: 'inserted' },
        { expr: rate('memory_llm_persist_updated_total'), legend: 'updated' },
        { expr: rate('memory_llm_persist_quarantined_total'), legend: 'quarantined' },
      ],
      runbook: 'AnnalsWorkOverdue',
    },
    {
      title: 'How many memory queries are answered?',
      unit: 'ops',
      queries: [{ expr: rate('memory_llm_queries_total', { by: ['purpose'] }), legend: '{{purpose}}' }],
      runbook: 'AnnalsQueriesDegraded',
    },
    {
      title: 'How long does a batch take to become memories?',
      unit: 'ms',
      queries: [
        { expr: quantile(0.5, 'memory_llm_batch_duration_ms', { where: { state: 'done' } }), legend: 'median' },
        { expr: quantile(0.95, 'memory_llm_batch_duration_ms', { where: { state: 'done' } }), legend: '95 %' },
      ],
      runbook: 'AnnalsWorkOverdue',
    },
    {
      title: 'How much work is due?',
      unit: 'short',
      queries: [{ expr: highest('memory_llm_work_due', { by: ['queue'] }), legend: '{{queue}}' }],
      runbook: 'AnnalsRelayNotLeasing',
    },
    {
      title: 'Since when is the oldest work due?',
      unit: 'ms',
      queries: [{ expr: highest('memory_llm_work_oldest_due_ms', { by: ['queue'] }), legend: '{{queue}}' }],
      target: { value: 300_000 },
      runbook: 'AnnalsWorkOverdue',
    },
    {
      title: 'Which share of the requests fails?',
      unit: 'percentunit',
      queries: [
        {
          expr: divide(
            orZero(rate('memory_llm_http_requests_total', { where: { status_class: '5xx' } })),
            rate('memory_llm_http_requests_total'),
          ),
          legend: '5xx',
        },
        {
          expr: divide(
            orZero(rate('memory_llm_http_requests_total', { where: { status_class: '4xx' } })),
            rate('memory_llm_http_requests_total'),
          ),
          legend: '4xx',
        },
      ],
      target: { value: 0.01 },
      runbook: 'AnnalsApiErrors',
    },
    {
      title: 'Which share of the batches fails?',
      unit: 'percentunit',
      queries: [
        {
          expr: divide(
            rate('memory_llm_batches_total', { where: { state: 'failed' } }),
            rate('memory_llm_batches_total', { where: { state: { matches: 'done|failed' } } }),
          ),
          legend: 'failed',
        },
      ],
      target: { value: 0.05 },
      runbook: 'AnnalsBatchesFail',
    },
    {
      title: 'What does an hour cost?',
      unit: 'currencyUSD',
      queries: [
        {
          expr: `${rate('memory_llm_cost_micro_usd_total', { by: ['provider'] })} * 3600 / 1000000`,
          legend: '{{provider}}',
        },
      ],
      runbook: 'AnnalsSpendWhileIdle',
    },
    {
      title: 'How much of today’s budgets is spent?',
      unit: 'percent',
      queries: [
        {
          expr: highest('memory_llm_budget_utilization_percent', { by: ['scope', 'provider'] }),
          legend: '{{scope}} {{provider}}',
        },
      ],
      target: { value: 90 },
      runbook: 'AnnalsBudget90',
    },
    {
      title: 'How many processes run, of which service and version?',
      unit: 'none',
      queries: [{ expr: 'count by (service, version) (memory_llm_build_info)', legend: '{{service}} {{version}}' }],
      runbook: 'AnnalsServiceMissing',
    },
    {
      title: 'Which targets does Prometheus reach?',
      unit: 'bool',
      queries: [{ expr: 'up{job=~"annals.*"}', legend: '{{instance}}' }],
      runbook: 'AnnalsProcessDown',
    },
  ],
};
