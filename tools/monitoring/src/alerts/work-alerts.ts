import { MIND_KINDS, WORK_KINDS } from '@annals/contracts';
import { divide, highest, increase, rate } from '../promql.ts';
import { defineAlerts } from './alert.ts';

const minds: readonly string[] = MIND_KINDS;
const MINDS = minds.join('|');
/** Its alerts are in a group of their own: no memory waits for its file. */
const VAULT = 'vault';
/** What people wait for: everything but minds and files. */
const PROMPT = WORK_KINDS.filter((kind) => !minds.includes(kind) && kind !== VAULT).join('|');

/** Alerts of the outbox, the queues and the batches. */
export const workAlerts = defineAlerts({
  AnnalsWorkOverdue: {
    severity: 'page',
    value: highest('memory_llm_work_oldest_due_ms', { by: ['queue'], where: { queue: { matches: PROMPT } } }),
    fires: '> 300000',
    for: '5m',
    summary: 'Work of the kind {{ $labels.queue }} has been due for {{ $value | humanize }} ms and is not finished.',
    meaning: 'What was accepted does not become memory in time. Nothing is lost: the rows wait in PostgreSQL.',
    checks: [
      '`memory_llm_work_due` and `memory_llm_work_in_flight`: many due rows are a lack of workers, few old ones in flight a slow or failing job.',
      '`/health/ready` of the workers; the oldest rows: `GET /v1/admin/work`, or the queue admin UI.',
    ],
    actions: [
      'Add replicas of the service that does this kind of work.',
      'If a provider is slow or down: `MEMORY_LLM_FALLBACKS`, or wait; deferred batches resume by themselves.',
    ],
  },
  AnnalsMindsOverdue: {
    severity: 'ticket',
    value: highest('memory_llm_work_oldest_due_ms', { by: ['queue'], where: { queue: { matches: MINDS } } }),
    fires: '> 86400000',
    for: '30m',
    summary: 'The mind {{ $labels.queue }} is a day behind.',
    meaning: 'Background thought is put off by load or has no worker. Memories are written and served as before.',
    checks: ['Replicas of consolidation-worker and tom-insight; `memory_llm_mind_waits_total` by reason.'],
    actions: ['Add replicas, or raise `ANNALS_MINDS_BUSY_PERCENT`.'],
  },
  AnnalsWorkStuck: {
    severity: 'page',
    value: highest('memory_llm_work_oldest_in_flight_ms', { by: ['queue'], where: { queue: { not: VAULT } } }),
    fires: '> 1800000',
    for: '5m',
    summary: 'A row of {{ $labels.queue }} has been in flight for {{ $value | humanize }} ms.',
    meaning:
      'No job takes this long, and the sweep makes due again what its queue has lost: a worker hangs, no worker runs, or the sweep does not.',
    checks: [
      '`memory_llm_relay_errors_total{round="sweep"}`; `outbox_failed` in the log.',
      'Processes of the service: CPU, event loop lag, `job_stalled` and `job_lock_lost` in the log.',
    ],
    actions: ['Restart the worker that has it, or start one. Its lease ends and another takes the work.'],
  },
  AnnalsJobsFail: {
    severity: 'page',
    value: divide(
      rate('memory_llm_jobs_total', {
        by: ['queue'],
        where: { outcome: { matches: 'exhausted|refused' } },
        over: '15m',
      }),
      rate('memory_llm_jobs_total', { by: ['queue'], over: '15m' }),
    ),
    fires: '> 0.05',
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the jobs of {{ $labels.queue }} fail for good.',
    meaning: 'Their work has failed and waits to be replayed by hand.',
    checks: ['`GET /v1/admin/work?status=failed` and `GET /v1/batches?status=failed`: their codes.'],
    actions: ['Fix the cause by its code (docs/operating.md#runbook), then replay.'],
  },
  AnnalsBatchesFail: {
    severity: 'page',
    value: divide(
      rate('memory_llm_batches_total', { where: { state: 'failed' }, over: '15m' }),
      rate('memory_llm_batches_total', { where: { state: { matches: 'done|failed' } }, over: '15m' }),
    ),
    fires: '> 0.05',
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the batches fail.',
    meaning: 'Conversations are stored and do not become memories until their batches are replayed.',
    checks: ['`GET /v1/batches?status=failed`: the reasons.'],
    actions: ['Fix the cause by its code (docs/operating.md#runbook), then replay.'],
  },
  AnnalsWorkFailed: {
    severity: 'ticket',
    value: highest('memory_llm_work_failed', { by: ['queue'], where: { queue: { not: VAULT } } }),
    fires: '> 0',
    for: '10m',
    summary: '{{ $value }} rows of {{ $labels.queue }} have failed.',
    meaning: 'They wait to be replayed by hand or asked for again.',
    checks: ['`GET /v1/admin/work?status=failed`: their codes.'],
    actions: ['Fix the cause by its code (docs/operating.md#runbook), then replay.'],
  },
  AnnalsRelayNotLeasing: {
    severity: 'page',
    value: highest('memory_llm_work_due', { by: ['queue'] }),
    fires: '> 0',
    only: `unless on (queue) ${increase('memory_llm_relay_released_total', { by: ['queue'], over: '5m' })} > 0 unless on (queue) ${highest('memory_llm_work_in_flight', { by: ['queue'] })} > 0`,
    for: '3m',
    summary: 'Work of {{ $labels.queue }} is due, and no relay publishes it.',
    meaning: 'The relays of all processes stand still, or their queue refuses jobs.',
    checks: ['`memory_llm_relay_errors_total`; `queue_unavailable` in the logs; Redis.'],
    actions: ['Restore Redis. If it responds, restart one process: each has a relay.'],
  },
  AnnalsRelayErrors: {
    severity: 'ticket',
    value: increase('memory_llm_relay_errors_total', { by: ['round'], over: '10m' }),
    fires: '> 5',
    for: '5m',
    summary: 'The relay failed {{ $value | humanize }} times in ten minutes in its round {{ $labels.round }}.',
    meaning: 'PostgreSQL or Redis refuses its statements. Work waits or is published late.',
    checks: ['`outbox_failed` in the log names the error.'],
    actions: ['Restore the store that it names.'],
  },
});
