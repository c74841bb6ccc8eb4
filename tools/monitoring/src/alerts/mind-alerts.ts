import { divide, increase, lowest } from '../promql.ts';
import { defineAlerts } from './alert.ts';

/** Alerts of background thought. */
export const mindAlerts = defineAlerts({
  AnnalsMindsFail: {
    severity: 'ticket',
    value: divide(
      increase('memory_llm_mind_runs_total', { by: ['kind'], where: { state: 'failed' }, over: '1h' }),
      increase('memory_llm_mind_runs_total', { by: ['kind'], over: '1h' }),
    ),
    fires: '> 0.2',
    for: '10m',
    summary: '{{ $value | humanizePercentage }} of the runs of {{ $labels.kind }} fail.',
    meaning: 'Background thought of this kind does not come about; memories are written and served as before.',
    checks: ['`GET /v1/admin/work?status=failed`; `mind_run_ended` and `job_exhausted` in the log.'],
    actions: ['Fix the cause by its code (docs/operating.md#runbook), then replay.'],
  },
  AnnalsEnergyExhausted: {
    severity: 'ticket',
    value: lowest('memory_llm_energy_level_percent'),
    fires: '< 20',
    for: '6h',
    summary: 'A tenant’s energy has been at {{ $value | humanize }} % for hours: its minds wait.',
    meaning:
      'A tenant’s minds ask for more than its meter refills. Spend is bounded on purpose; what waits is done later.',
    checks: ['`memory_llm_mind_waits_total{reason="energy"}`; `GET /v1/usage/energy` with a key of the tenant.'],
    actions: ['Raise `ANNALS_ENERGY_CAPACITY` and `ANNALS_ENERGY_REFILL_PER_HOUR` if you want to spend more.'],
  },
  AnnalsAppMemoriesFail: {
    severity: 'ticket',
    value: divide(
      increase('memory_llm_app_memory_failures_total', { where: { task: 'creation' }, over: '6h' }),
      `${increase('memory_llm_app_memories_created_total', { over: '6h' })} + ${increase('memory_llm_app_memory_failures_total', { where: { task: 'creation' }, over: '6h' })}`,
    ),
    fires: '> 0.2',
    for: '30m',
    summary: '{{ $value | humanizePercentage }} of the app memories could not be made.',
    meaning: 'A failure is final: the conversation gets no app memory.',
    checks: ['`memory_llm_app_memory_failures_total` by code.'],
    actions: ['Use another model for `invalid_answer`; restore the provider for the others.'],
  },
});
