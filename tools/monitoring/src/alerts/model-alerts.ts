import { divide, highest, increase, lowest, orZero, rate } from '../promql.ts';
import { defineAlerts } from './alert.ts';

const budgetAlert = (percent: 70 | 90 | 100, severity: 'page' | 'ticket', action: string) =>
  ({
    severity,
    value: highest('memory_llm_budget_utilization_percent', { by: ['scope', 'provider'] }),
    fires: `>= ${percent}`,
    for: '0m',
    summary: `${percent} % of today’s budget is spent ({{ $labels.scope }}, {{ $labels.provider }}).`,
    meaning: 'Days are in UTC. The budget cannot be exceeded: what does not fit is deferred to the next day.',
    checks: ['`GET /v1/operator/budgets`; cost by operation on the dashboard *Models and money*.'],
    actions: [action],
  }) as const;

/** Alerts of providers, budgets and answers of models. */
export const modelAlerts = defineAlerts({
  AnnalsBudget70: budgetAlert(70, 'ticket', 'Early in the day: find who spends, or raise the budget by the API.'),
  AnnalsBudget90: budgetAlert(
    90,
    'ticket',
    'Raise the budget by the API, or accept that work is deferred until midnight.',
  ),
  AnnalsBudget100: budgetAlert(100, 'page', 'Raise the budget by the API, or wait for midnight UTC: nothing is lost.'),
  AnnalsTenantBudgetSpent: {
    severity: 'ticket',
    value: increase('memory_llm_budget_alerts_total', { where: { scope: 'tenant', threshold: '100' }, over: '10m' }),
    fires: '> 0',
    for: '0m',
    summary: 'A tenant has spent its budget of the day.',
    meaning: 'Its work is deferred to the next day (UTC); other tenants go on.',
    checks: ['`budget_threshold` in the log names the tenant.'],
    actions: ['Raise the tenant’s budget by the API, or wait.'],
  },
  AnnalsSpendWhileIdle: {
    severity: 'page',
    value: increase('memory_llm_cost_micro_usd_total', { over: '15m' }),
    fires: '> 0',
    only: `unless on () ${increase('memory_llm_jobs_total', { over: '30m' })} > 0 unless on () ${increase('memory_llm_queries_total', { over: '30m' })} > 0`,
    for: '0m',
    summary: '{{ $value | humanize }} micro-USD were spent in 15 minutes although no job and no query ran.',
    meaning:
      'Somebody else uses the keys of this installation’s processes, or a process calls models outside of jobs: a bug.',
    checks: ['The ledger by operation and tenant: `GET /v1/usage`.'],
    actions: ['Set the budget to what you accept, report the operation as a bug, and change the provider’s key.'],
  },
  AnnalsCircuitOpen: {
    severity: 'page',
    value: highest('memory_llm_circuit_state', { by: ['provider', 'model'] }),
    fires: '== 1',
    for: '5m',
    summary: 'The circuit breaker of {{ $labels.provider }} ({{ $labels.model }}) is open.',
    meaning: 'Its calls failed too often. Batches wait or go to the fallback; one call after the other probes it.',
    checks: ['`/health/ready` of extraction names the provider; `provider_call_error` in the log; its status page.'],
    actions: ['Nothing, for a short outage. For a long one set `MEMORY_LLM_FALLBACKS` and restart extraction.'],
  },
  AnnalsProviderDown: {
    severity: 'page',
    value: lowest('memory_llm_provider_up', { by: ['provider', 'model'] }),
    fires: '== 0',
    for: '5m',
    summary: 'The provider {{ $labels.provider }} ({{ $labels.model }}) cannot be used.',
    meaning: 'It does not respond, or refuses the key or the model.',
    checks: ['`npm run doctor` says which.'],
    actions: ['Correct key or model; for an outage see AnnalsCircuitOpen.'],
  },
  AnnalsFallbackShareHigh: {
    severity: 'ticket',
    value: divide(
      orZero(rate('memory_llm_fallbacks_total', { over: '1h' })),
      rate('memory_llm_requests_total', { where: { operation: 'extraction' }, over: '1h' }),
    ),
    fires: '> 0.1',
    for: '30m',
    summary: '{{ $value | humanizePercentage }} of the calls fall back to another provider; the target is below 10 %.',
    meaning: 'The primary provider fails often, and the fallback may cost more or know less.',
    checks: ['`memory_llm_fallbacks_total` by reason.'],
    actions: ['Fix the reason, or make the fallback the primary.'],
  },
  AnnalsAnswersUnreadable: {
    severity: 'ticket',
    value: divide(
      rate('memory_llm_parse_failures_total', { by: ['provider'], over: '30m' }),
      rate('memory_llm_requests_total', { by: ['provider'], where: { operation: 'extraction' }, over: '30m' }),
    ),
    fires: '> 0.05',
    for: '10m',
    summary: '{{ $value | humanizePercentage }} of the answers of {{ $labels.provider }} cannot be read.',
    meaning: 'They are asked for again, which costs; batches whose answers stay unreadable fail.',
    checks: ['`parsing_repair_failure` in the log; the doctor’s sample conversations.'],
    actions: ['Use another model, or JSON mode on your server. A small context truncates answers.'],
  },
  AnnalsCallsLost: {
    severity: 'ticket',
    value: orZero(increase('memory_llm_lost_calls_total', { over: '15m' })),
    fires: '> 0',
    for: '0m',
    summary: '{{ $value | humanize }} model calls were lost in 15 minutes, and charged in full.',
    meaning: 'Their worker died before the outcome was recorded.',
    checks: ['Killed processes (out of memory); a grace period below `ANNALS_SHUTDOWN_TIMEOUT_MS`.'],
    actions: ['Give workers more memory, or a longer grace period.'],
  },
  AnnalsCoordinationUnavailable: {
    severity: 'page',
    value: rate('memory_llm_coordination_errors_total', { over: '5m' }),
    fires: '> 0',
    for: '2m',
    summary: 'The store of budgets, circuits and rates does not respond.',
    meaning: 'Without it no remote model is called, so that no budget is exceeded. Work waits.',
    checks: ['`coordination_unavailable` in the log, Redis.'],
    actions: ['Restore Redis. Nothing is lost.'],
  },
});
