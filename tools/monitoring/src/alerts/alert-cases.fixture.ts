import type { Alert } from './alert.ts';
import { ALERT_GROUPS, type AlertName } from './alerts.ts';

/** Series in promtool's notation, one value a minute, and when the alert is looked at. */
interface Case {
  readonly series: Readonly<Record<string, string>>;
  readonly at: string;
}

const FLAT = '0x90';
const RISES = '0+60x90';

const budget = (percent: number, below: number) => ({
  fires: {
    series: { 'memory_llm_budget_utilization_percent{scope="deployment",provider="all"}': `${percent}x10` },
    at: '5m',
  },
  silent: {
    series: { 'memory_llm_budget_utilization_percent{scope="deployment",provider="all"}': `${below}x10` },
    at: '5m',
  },
});

const gauge = (name: string, fires: number, silent: number, at: string) => ({
  fires: { series: { [name]: `${fires}x400` }, at },
  silent: { series: { [name]: `${silent}x400` }, at },
});

/** Two counters of which one is a share of the other. */
const share = (part: string, whole: string, [fires, silent]: readonly [number, number], at: string) => ({
  fires: { series: { [part]: `0+${fires}x900`, [whole]: '0+100x900' }, at },
  silent: { series: { [part]: `0+${silent}x900`, [whole]: '0+100x900' }, at },
});

const counted = (name: string, at: string, each = 60) => ({
  fires: { series: { [name]: `0+${each}x90` }, at },
  silent: { series: { [name]: FLAT }, at },
});

/** For each alert, series by which it fires and nearly the same ones by which it does not. */
export const ALERT_CASES: Readonly<Record<AlertName, { readonly fires: Case; readonly silent: Case }>> = {
  AnnalsProcessDown: {
    fires: { series: { 'up{job="annals",instance="a"}': '1 1 0x10' }, at: '5m' },
    silent: { series: { 'up{job="annals",instance="a"}': '1 0 1x10' }, at: '5m' },
  },
  AnnalsServiceMissing: {
    fires: { series: { 'memory_llm_build_info{service="extraction"}': '1x60 _x40' }, at: '80m' },
    silent: { series: { 'memory_llm_build_info{service="extraction"}': '1x100' }, at: '80m' },
  },
  AnnalsApiErrors: share(
    'memory_llm_http_requests_total{status_class="5xx"}',
    'memory_llm_http_requests_total{status_class="2xx"}',
    [3, 0.5],
    '15m',
  ),
  AnnalsRequestsRateLimited: counted('memory_llm_rate_limited_requests_total{limit="requests"}', '15m'),
  AnnalsRequestsRefused: counted('memory_llm_refused_requests_total{code="forbidden_scope"}', '15m'),
  AnnalsQueriesSlow: {
    fires: {
      series: {
        'memory_llm_query_duration_ms_bucket{phase="total",le="150"}': '0+50x60',
        'memory_llm_query_duration_ms_bucket{phase="total",le="250"}': '0+100x60',
        'memory_llm_query_duration_ms_bucket{phase="total",le="+Inf"}': '0+100x60',
      },
      at: '30m',
    },
    silent: {
      series: {
        'memory_llm_query_duration_ms_bucket{phase="total",le="150"}': '0+100x60',
        'memory_llm_query_duration_ms_bucket{phase="total",le="250"}': '0+100x60',
        'memory_llm_query_duration_ms_bucket{phase="total",le="+Inf"}': '0+100x60',
      },
      at: '30m',
    },
  },
  AnnalsQueriesDegraded: share(
    'memory_llm_query_degraded_total{reason="timeout"}',
    'memory_llm_queries_total{purpose="context"}',
    [2, 0.5],
    '30m',
  ),
  AnnalsRecallShareHigh: share(
    'memory_llm_queries_total{purpose="recall"}',
    'memory_llm_turns_accepted_total',
    [12, 8],
    '3h',
  ),
  AnnalsRecordsDropped: {
    fires: { series: { memory_llm_accesses_dropped_total: FLAT, memory_llm_events_dropped_total: RISES }, at: '15m' },
    silent: { series: { memory_llm_accesses_dropped_total: FLAT, memory_llm_events_dropped_total: FLAT }, at: '15m' },
  },
  AnnalsWorkOverdue: gauge('memory_llm_work_oldest_due_ms{queue="extraction"}', 400_000, 200_000, '10m'),
  AnnalsMindsOverdue: gauge('memory_llm_work_oldest_due_ms{queue="insights"}', 90_000_000, 3_600_000, '40m'),
  AnnalsWorkStuck: gauge('memory_llm_work_oldest_in_flight_ms{queue="extraction"}', 2_000_000, 600_000, '10m'),
  AnnalsJobsFail: share(
    'memory_llm_jobs_total{queue="extraction",outcome="exhausted"}',
    'memory_llm_jobs_total{queue="extraction",outcome="completed"}',
    [10, 2],
    '30m',
  ),
  AnnalsBatchesFail: share(
    'memory_llm_batches_total{state="failed"}',
    'memory_llm_batches_total{state="done"}',
    [10, 2],
    '30m',
  ),
  AnnalsWorkFailed: gauge('memory_llm_work_failed{queue="vectors"}', 2, 0, '15m'),
  AnnalsRelayNotLeasing: {
    fires: {
      series: {
        'memory_llm_work_due{queue="extraction"}': '5x30',
        'memory_llm_work_in_flight{queue="extraction"}': '0x30',
        'memory_llm_relay_released_total{queue="extraction"}': '7x30',
      },
      at: '15m',
    },
    // As much is due, but the relay publishes.
    silent: {
      series: {
        'memory_llm_work_due{queue="extraction"}': '5x30',
        'memory_llm_work_in_flight{queue="extraction"}': '0x30',
        'memory_llm_relay_released_total{queue="extraction"}': '0+5x30',
      },
      at: '15m',
    },
  },
  AnnalsRelayErrors: counted('memory_llm_relay_errors_total{round="release"}', '20m'),
  AnnalsBudget70: budget(70, 69),
  AnnalsBudget90: budget(90, 89),
  AnnalsBudget100: budget(100, 99),
  AnnalsTenantBudgetSpent: counted('memory_llm_budget_alerts_total{scope="tenant",threshold="100"}', '15m'),
  AnnalsSpendWhileIdle: {
    fires: {
      series: {
        memory_llm_cost_micro_usd_total: RISES,
        'memory_llm_jobs_total{queue="extraction"}': FLAT,
        'memory_llm_queries_total{purpose="context"}': FLAT,
      },
      at: '45m',
    },
    // The same spend, with jobs.
    silent: {
      series: {
        memory_llm_cost_micro_usd_total: RISES,
        'memory_llm_jobs_total{queue="extraction"}': RISES,
        'memory_llm_queries_total{purpose="context"}': FLAT,
      },
      at: '45m',
    },
  },
  AnnalsCircuitOpen: gauge('memory_llm_circuit_state{provider="claude",model="m"}', 1, 0, '10m'),
  AnnalsProviderDown: gauge('memory_llm_provider_up{provider="claude",model="m"}', 0, 1, '10m'),
  AnnalsFallbackShareHigh: share(
    'memory_llm_fallbacks_total{from="claude",to="openai"}',
    'memory_llm_requests_total{operation="extraction"}',
    [15, 5],
    '3h',
  ),
  AnnalsAnswersUnreadable: share(
    'memory_llm_parse_failures_total{provider="openai"}',
    'memory_llm_requests_total{provider="openai",operation="extraction"}',
    [10, 2],
    '1h',
  ),
  AnnalsCallsLost: counted('memory_llm_lost_calls_total{provider="claude"}', '20m'),
  AnnalsCoordinationUnavailable: counted('memory_llm_coordination_errors_total{part="admission"}', '10m'),
  AnnalsMindsFail: share(
    'memory_llm_mind_runs_total{kind="insights",state="failed"}',
    'memory_llm_mind_runs_total{kind="insights",state="done"}',
    [40, 10],
    '2h',
  ),
  AnnalsEnergyExhausted: gauge('memory_llm_energy_level_percent', 5, 60, '370m'),
  AnnalsAppMemoriesFail: share(
    'memory_llm_app_memory_failures_total{task="creation"}',
    'memory_llm_app_memories_created_total',
    [40, 10],
    '8h',
  ),
  AnnalsQuarantineSurge: share(
    'memory_llm_memories_quarantined_total{reason="ungrounded"}',
    'memory_llm_memories_extracted_total',
    [30, 5],
    '2h',
  ),
  AnnalsJunkHigh: share(
    'memory_llm_memories_junk_total{cause="rejected"}',
    'memory_llm_memories_extracted_total',
    [20, 5],
    '8h',
  ),
  AnnalsWritingViolated: share(
    'memory_llm_writing_checked_total{outcome="rewritten"}',
    'memory_llm_writing_checked_total{outcome="passed"}',
    [20, 1],
    '3h',
  ),
  AnnalsReconciliationUndecided: share(
    'memory_llm_reconciliations_total{outcome="not_answered"}',
    'memory_llm_reconciliations_total{outcome="decided"}',
    [40, 5],
    '1h',
  ),
  AnnalsDatabasePoolExhausted: gauge('memory_llm_db_pool_connections{instance="a",state="waiting"}', 3, 0, '10m'),
  AnnalsWebhooksOverdue: gauge('memory_llm_webhook_overdue_ms', 900_000, 60_000, '10m'),
  AnnalsWebhookRefused: counted('memory_llm_webhook_attempts_total{result="refused"}', '15m'),
  AnnalsWebhookEventsDead: counted('memory_llm_webhook_dead_total', '15m'),
  AnnalsWebhookDisabled: counted('memory_llm_webhooks_disabled_total{reason="gone"}', '15m'),
  AnnalsVaultUnavailable: gauge('memory_llm_work_deferred{reason="vault_unavailable"}', 3, 0, '20m'),
  AnnalsVaultOverdue: gauge('memory_llm_work_oldest_due_ms{queue="vault"}', 2_000_000, 600_000, '15m'),
  AnnalsVaultFails: gauge('memory_llm_work_failed{queue="vault"}', 1, 0, '15m'),
  AnnalsVaultFilesRefused: counted('memory_llm_vault_files_total{outcome="refused"}', '15m'),
  AnnalsDatabaseConnectionsLost: counted('memory_llm_db_errors_total{class="connection"}', '15m'),
  AnnalsDatabaseReadOnly: counted('memory_llm_db_errors_total{class="read_only"}', '15m'),
  AnnalsDatabaseStatementsEnded: counted('memory_llm_db_errors_total{class="lock"}', '30m', 60),
  AnnalsRedisEvictsKeys: gauge('memory_llm_redis_evicts_keys', 1, 0, '10m'),
  AnnalsMigrationPending: gauge('memory_llm_migration_pending', 1, 0, '15m'),
  AnnalsMaintenanceLate: {
    fires: {
      series: {
        'memory_llm_maintenance_age_ms{task="memory_purge"}': '14400000x30',
        'memory_llm_maintenance_interval_ms{task="memory_purge"}': '3600000x30',
      },
      at: '20m',
    },
    // Many short intervals, but only minutes.
    silent: {
      series: {
        'memory_llm_maintenance_age_ms{task="lexical_index"}': '600000x30',
        'memory_llm_maintenance_interval_ms{task="lexical_index"}': '60000x30',
      },
      at: '20m',
    },
  },
  AnnalsMaintenanceFails: gauge('memory_llm_maintenance_failures{task="memory_purge"}', 5, 1, '10m'),
  AnnalsErasureOverdue: gauge('memory_llm_purge_overdue_ms', 30_000_000, 60_000, '40m'),
  AnnalsGaugesUnreadable: counted('memory_llm_collect_errors_total{metric="memory_llm_work_due"}', '20m'),
};

export function listAlerts(): (readonly [AlertName, Alert])[] {
  return Object.values(ALERT_GROUPS).flatMap(({ alerts }) => Object.entries(alerts) as [AlertName, Alert][]);
}
