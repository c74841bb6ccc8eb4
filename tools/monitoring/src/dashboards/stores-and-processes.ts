import type { Dashboard, Panel } from '../panel.ts';
import { divide, highest, increase, perProcess, quantile, rate, ratePerProcess } from '../promql.ts';

const stores: readonly Panel[] = [
  {
    title: 'How many connections to PostgreSQL are in use, and who waits for one?',
    unit: 'short',
    queries: [
      {
        expr: highest('memory_llm_db_pool_connections', { by: ['state'] }),
        legend: '{{state}}, most of one process',
      },
    ],
    runbook: 'AnnalsDatabasePoolExhausted',
  },
  {
    title: 'Does PostgreSQL drop connections?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_db_errors_total', { by: ['class'], over: '10m' }), legend: '{{class}}' }],
    runbook: 'AnnalsDatabaseConnectionsLost',
  },
  {
    title: 'May Redis evict keys? (1 yes)',
    unit: 'bool',
    queries: [{ expr: highest('memory_llm_redis_evicts_keys'), legend: 'evicts' }],
    runbook: 'AnnalsRedisEvictsKeys',
  },
  {
    title: 'Does the schema lack a migration? (1 yes)',
    unit: 'bool',
    queries: [{ expr: highest('memory_llm_migration_pending'), legend: 'pending' }],
    runbook: 'AnnalsMigrationPending',
  },
  {
    title: 'Does the store of budgets and circuits respond?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_coordination_errors_total', { by: ['part'], over: '10m' }),
        legend: 'errors: {{part}}',
      },
    ],
    runbook: 'AnnalsCoordinationUnavailable',
  },
  {
    title: 'Can all gauges be read?',
    unit: 'short',
    queries: [
      { expr: `${increase('memory_llm_collect_errors_total', { over: '10m' })} or vector(0)`, legend: 'errors' },
    ],
    runbook: 'AnnalsGaugesUnreadable',
  },
];

const maintenance: readonly Panel[] = [
  {
    title: 'How many intervals ago was the last pass of a maintenance job?',
    unit: 'short',
    queries: [
      {
        expr: divide(
          highest('memory_llm_maintenance_age_ms', { by: ['task'] }),
          highest('memory_llm_maintenance_interval_ms', { by: ['task'] }),
        ),
        legend: '{{task}}',
      },
    ],
    target: { value: 3 },
    runbook: 'AnnalsMaintenanceLate',
  },
  {
    title: 'Which maintenance jobs fail?',
    unit: 'short',
    queries: [{ expr: highest('memory_llm_maintenance_failures', { by: ['task'] }), legend: '{{task}}' }],
    target: { value: 3 },
    runbook: 'AnnalsMaintenanceFails',
  },
  {
    title: 'How long do maintenance jobs run (95 %)?',
    unit: 'ms',
    queries: [{ expr: quantile(0.95, 'memory_llm_maintenance_run_ms', { by: ['task'] }), legend: '{{task}}' }],
    runbook: 'AnnalsMaintenanceLate',
  },
  {
    title: 'How much do maintenance jobs change?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_maintenance_done_total', { by: ['task'], over: '1h' }), legend: '{{task}}' },
    ],
    runbook: 'AnnalsMaintenanceLate',
  },
  {
    title: 'Since when should deleted memories have been purged?',
    unit: 'ms',
    queries: [{ expr: highest('memory_llm_purge_overdue_ms'), legend: 'overdue' }],
    target: { value: 21_600_000 },
    runbook: 'AnnalsErasureOverdue',
  },
];

const processes: readonly Panel[] = [
  {
    title: 'How many cores does each process use?',
    unit: 'short',
    queries: [
      { expr: ratePerProcess('memory_llm_process_process_cpu_seconds_total'), legend: '{{service}} {{instance}}' },
    ],
    runbook: 'AnnalsProcessDown',
  },
  {
    title: 'How much memory does each process use?',
    unit: 'bytes',
    queries: [
      { expr: perProcess('memory_llm_process_process_resident_memory_bytes'), legend: '{{service}} {{instance}}' },
      {
        expr: perProcess('memory_llm_process_nodejs_heap_size_used_bytes'),
        legend: 'heap of {{service}} {{instance}}',
      },
    ],
    runbook: 'AnnalsProcessDown',
  },
  {
    title: 'How far do event loops lag (99 %)?',
    unit: 's',
    queries: [
      { expr: perProcess('memory_llm_process_nodejs_eventloop_lag_p99_seconds'), legend: '{{service}} {{instance}}' },
    ],
    target: { value: 0.2 },
    runbook: 'AnnalsQueriesSlow',
  },
  {
    title: 'Which share of the time goes to garbage collection?',
    unit: 'percentunit',
    queries: [
      { expr: ratePerProcess('memory_llm_process_nodejs_gc_duration_seconds_sum'), legend: '{{service}} {{instance}}' },
    ],
    target: { value: 0.1 },
    runbook: 'AnnalsProcessDown',
  },
  {
    title: 'Which requests are rejected?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_authentication_failures_total', { by: ['reason'], over: '10m' }),
        legend: '401: {{reason}}',
      },
      { expr: increase('memory_llm_refused_requests_total', { by: ['code'], over: '10m' }), legend: '403: {{code}}' },
      {
        expr: increase('memory_llm_rate_limited_requests_total', { by: ['limit'], over: '10m' }),
        legend: '429: {{limit}}',
      },
    ],
    runbook: 'AnnalsRequestsRefused',
  },
  {
    title: 'How many requests are answered, by status?',
    unit: 'ops',
    queries: [{ expr: rate('memory_llm_http_requests_total', { by: ['status_class'] }), legend: '{{status_class}}' }],
    runbook: 'AnnalsApiErrors',
  },
];

/** PostgreSQL, Redis, maintenance jobs, and what each process uses. */
export const storesAndProcesses: Dashboard = {
  uid: 'annals-stores',
  title: 'Annals / Stores and processes',
  description: 'What everything runs on.',
  panels: [...stores, ...maintenance, ...processes],
};
