import { divide, increase, orZero, quantile, rate } from '../promql.ts';
import { defineAlerts } from './alert.ts';

/** Alerts of the gateway and of processes. */
export const apiAlerts = defineAlerts({
  AnnalsProcessDown: {
    severity: 'page',
    value: 'up{job=~"annals.*"}',
    fires: '== 0',
    for: '2m',
    summary: 'Prometheus cannot scrape {{ $labels.instance }} of Annals.',
    meaning:
      'The process does not run, or its port for metrics does not respond. Other replicas go on; work that it had is due again once its lease ends.',
    checks: [
      'The state of the container or pod, and the last lines of its log: exit code 78 is an invalid configuration.',
      'Whether the token of Prometheus is the process’s `ANNALS_METRICS_TOKEN`: then the target answers 401.',
    ],
    actions: ['Correct what its log names and start it again. Nothing is lost meanwhile.'],
  },
  AnnalsServiceMissing: {
    severity: 'page',
    value: 'count by (service) (memory_llm_build_info offset 1h)',
    fires: '> 0',
    only: 'unless on (service) count by (service) (memory_llm_build_info)',
    for: '5m',
    summary: 'No process of {{ $labels.service }} runs; an hour ago one did.',
    meaning:
      'Targets that are discovered vanish with their last replica, so no target is down. Work of a missing worker waits.',
    checks: ['Deployments and replicas of the service; whether an autoscaler may go to zero.'],
    actions: ['Start at least one replica. If the service was removed on purpose, the alert ends after an hour.'],
  },
  AnnalsApiErrors: {
    severity: 'page',
    value: divide(
      orZero(rate('memory_llm_http_requests_total', { where: { status_class: '5xx' }, over: '5m' })),
      rate('memory_llm_http_requests_total', { over: '5m' }),
    ),
    fires: '> 0.01',
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the requests fail.',
    meaning: 'The gateway answers 5xx: 503 while PostgreSQL does not respond, 500 for an error of its own.',
    checks: [
      '`/health/ready` of the gateway; the codes of `http_request_error` in its log, by the `request_id` of a response.',
    ],
    actions: [
      '503: restore PostgreSQL. `53300`: it allows fewer connections than all pools (`ANNALS_DB_POOL_SIZE`) may open.',
      '500: report the error as a bug. `25006`: PostgreSQL is read-only, point the URL to the primary.',
    ],
  },
  AnnalsRequestsRateLimited: {
    severity: 'ticket',
    value: increase('memory_llm_rate_limited_requests_total', { by: ['limit'], over: '10m' }),
    fires: '> 100',
    for: '0m',
    summary:
      '{{ $value | humanize }} requests were rejected with 429 in ten minutes, by the limit of {{ $labels.limit }}.',
    meaning: 'A key sends more than its limit. Its other requests and all other keys are served.',
    checks: ['The `detail` of the responses: requests or bytes of the key.'],
    actions: ['Raise `ANNALS_RATE_LIMIT_PER_MINUTE` or `ANNALS_RATE_LIMIT_BYTES_PER_MINUTE`, or slow the caller down.'],
  },
  AnnalsRequestsRefused: {
    severity: 'ticket',
    value: increase('memory_llm_refused_requests_total', { by: ['code'], over: '10m' }),
    fires: '> 20',
    for: '0m',
    summary: '{{ $value | humanize }} requests were refused in ten minutes: {{ $labels.code }}.',
    meaning: 'A key asks for what its scopes, its agent or its users do not allow: a wrong key, or somebody tries.',
    checks: ['`request_forbidden` in the log of the gateway names the key.'],
    actions: ['Give the caller a key with the right scopes, or revoke the key.'],
  },
  AnnalsQueriesSlow: {
    severity: 'ticket',
    value: quantile(0.99, 'memory_llm_query_duration_ms', { where: { phase: 'total' }, over: '10m' }),
    fires: '> 150',
    for: '10m',
    summary: 'The slowest hundredth of the memory queries takes more than {{ $value | humanize }} ms.',
    meaning: 'The target is 150 ms. Agents wait for these queries before they answer.',
    checks: [
      'The phases on the dashboard *Recall*: `embed` and `rerank` are servers of others, the rest is PostgreSQL.',
      '`memory_llm_maintenance_done_total{task="lexical_index"}`: after an upgrade indexes are rebuilt.',
    ],
    actions: [
      'Set a shorter timeout for the server that is slow; queries are then answered without it.',
      'Give PostgreSQL more memory or CPU, or add replicas of the gateway if their event loop lags.',
    ],
  },
  AnnalsQueriesDegraded: {
    severity: 'ticket',
    value: divide(
      orZero(rate('memory_llm_query_degraded_total', { over: '10m' })),
      rate('memory_llm_queries_total', { over: '10m' }),
    ),
    fires: '> 0.01',
    for: '5m',
    summary: '{{ $value | humanizePercentage }} of the memory queries are answered without vectors or reranker.',
    meaning: 'The budget is spent, or Redis, the embedding server or the rerank server does not respond.',
    checks: ['`memory_llm_query_degraded_total` by reason; `embeddings_degraded` and `rerank_degraded` in the log.'],
    actions: ['Restore what the reason names. Until then answers have `degraded: true`.'],
  },
  AnnalsRecallShareHigh: {
    severity: 'ticket',
    value: divide(
      rate('memory_llm_queries_total', { where: { purpose: 'recall' }, over: '1h' }),
      rate('memory_llm_turns_accepted_total', { over: '1h' }),
    ),
    fires: '> 0.1',
    for: '1h',
    summary: '{{ $value | humanizePercentage }} of the turns need a recall query; the target is below 10 %.',
    meaning: 'Agents ask for memories on demand instead of using the context that every turn gets.',
    checks: ['What the queries ask for; whether callers use the context of the conversation.'],
    actions: ['Correct the caller’s prompt or its use of purposes: see docs/reference/recall.md.'],
  },
  AnnalsRecordsDropped: {
    severity: 'ticket',
    value: `${increase('memory_llm_accesses_dropped_total', { over: '10m' })} + ${increase('memory_llm_events_dropped_total', { over: '10m' })}`,
    fires: '> 0',
    for: '0m',
    summary: '{{ $value | humanize }} reads or operational events were not recorded in ten minutes.',
    meaning: 'The write buffer of a gateway was full, or its write failed. No memory and no audit record is concerned.',
    checks: ['PostgreSQL: these records are written behind the responses.'],
    actions: ['Restore PostgreSQL, or add replicas of the gateway.'],
  },
});
