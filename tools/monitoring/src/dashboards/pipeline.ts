import type { Dashboard, Panel } from '../panel.ts';
import { divide, highest, increase, quantile, rate } from '../promql.ts';

const throughput: readonly Panel[] = [
  {
    title: 'How many jobs does each stage complete?',
    unit: 'ops',
    queries: [
      {
        expr: rate('memory_llm_jobs_total', { by: ['queue'], where: { outcome: 'completed' } }),
        legend: '{{queue}}',
      },
    ],
    runbook: 'AnnalsJobsFail',
  },
  {
    title: 'How much work is in flight?',
    unit: 'short',
    queries: [{ expr: highest('memory_llm_work_in_flight', { by: ['queue'] }), legend: '{{queue}}' }],
    runbook: 'AnnalsWorkStuck',
  },
  {
    title: 'How much work is due and waits for its queue?',
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
    title: 'Since when is the oldest work in flight?',
    unit: 'ms',
    queries: [{ expr: highest('memory_llm_work_oldest_in_flight_ms', { by: ['queue'] }), legend: '{{queue}}' }],
    target: { value: 1_800_000 },
    runbook: 'AnnalsWorkStuck',
  },
  {
    title: 'How much work is for later?',
    unit: 'short',
    queries: [{ expr: highest('memory_llm_work_scheduled', { by: ['queue'] }), legend: '{{queue}}' }],
    runbook: 'operating.md#work',
  },
];

const latency: readonly Panel[] = [
  {
    title: 'How long do jobs wait in their queue (95 %)?',
    unit: 'ms',
    queries: [{ expr: quantile(0.95, 'memory_llm_job_wait_ms', { by: ['queue'] }), legend: '{{queue}}' }],
    runbook: 'AnnalsWorkOverdue',
  },
  {
    title: 'How long does an attempt take (95 %)?',
    unit: 'ms',
    queries: [{ expr: quantile(0.95, 'memory_llm_job_run_ms', { by: ['queue'] }), legend: '{{queue}}' }],
    runbook: 'AnnalsWorkStuck',
  },
  {
    title: 'How long is a request for messages at work (accept)?',
    unit: 'ms',
    queries: [
      { expr: quantile(0.5, 'memory_llm_accept_duration_ms'), legend: 'median' },
      { expr: quantile(0.99, 'memory_llm_accept_duration_ms'), legend: '99 %' },
    ],
    runbook: 'AnnalsDatabasePoolExhausted',
  },
  {
    title: 'How long does the write of a batch take?',
    unit: 'ms',
    queries: [
      { expr: quantile(0.5, 'memory_llm_persist_latency_ms'), legend: 'median' },
      { expr: quantile(0.95, 'memory_llm_persist_latency_ms'), legend: '95 %' },
    ],
    runbook: 'AnnalsDatabasePoolExhausted',
  },
];

const failures: readonly Panel[] = [
  {
    title: 'How many attempts fail and are retried?',
    unit: 'ops',
    queries: [
      { expr: rate('memory_llm_jobs_total', { by: ['queue'], where: { outcome: 'failed' } }), legend: '{{queue}}' },
    ],
    runbook: 'AnnalsJobsFail',
  },
  {
    title: 'Which share of the jobs fails for good?',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(
          rate('memory_llm_jobs_total', { by: ['queue'], where: { outcome: { matches: 'exhausted|refused' } } }),
          rate('memory_llm_jobs_total', { by: ['queue'] }),
        ),
        legend: '{{queue}}',
      },
    ],
    target: { value: 0.05 },
    runbook: 'AnnalsJobsFail',
  },
  {
    title: 'How much work has failed and waits for a replay?',
    unit: 'short',
    queries: [{ expr: highest('memory_llm_work_failed', { by: ['queue'] }), legend: '{{queue}}' }],
    runbook: 'AnnalsWorkFailed',
  },
  {
    title: 'How many batches end, and how?',
    unit: 'ops',
    queries: [{ expr: rate('memory_llm_batches_total', { by: ['state'] }), legend: '{{state}}' }],
    runbook: 'AnnalsBatchesFail',
  },
  {
    title: 'Who waits for a later time, and why?',
    unit: 'short',
    queries: [
      { expr: highest('memory_llm_batches_deferred', { by: ['reason'] }), legend: 'batches: {{reason}}' },
      { expr: highest('memory_llm_work_deferred', { by: ['reason'] }), legend: 'other work: {{reason}}' },
    ],
    runbook: 'operating.md#deferred-batches',
  },
  {
    title: 'How often are batches deferred in an hour?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_deferrals_total', { by: ['reason'], over: '1h' }), legend: '{{reason}}' }],
    runbook: 'operating.md#deferred-batches',
  },
  {
    title: 'Do workers die or queues lose jobs?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_jobs_stalled_total', { by: ['queue'], over: '1h' }), legend: 'stalled: {{queue}}' },
      { expr: increase('memory_llm_relay_swept_total', { by: ['queue'], over: '1h' }), legend: 'lost: {{queue}}' },
    ],
    runbook: 'AnnalsWorkStuck',
  },
  {
    title: 'Does the relay publish?',
    unit: 'ops',
    queries: [
      { expr: rate('memory_llm_relay_released_total', { by: ['queue'] }), legend: '{{queue}}' },
      { expr: rate('memory_llm_relay_errors_total', { by: ['round'] }), legend: 'errors: {{round}}' },
    ],
    runbook: 'AnnalsRelayNotLeasing',
  },
];

/** Each stage: rate, age, latency, retries, failures, and who waits. */
export const pipeline: Dashboard = {
  uid: 'annals-pipeline',
  title: 'Annals / Pipeline',
  description: 'From an accepted message to a memory: what each stage does, what waits for it, and what fails.',
  panels: [...throughput, ...latency, ...failures],
};
