import { counter, gauge, type MetricDefinition } from './definition.js';

const MINDS = ['insights', 'consolidation', 'summary', 'app_memory'] as const;
/** Who draws energy: decisions about app memories beside the minds. */
const ENERGY_KINDS = [...MINDS, 'app_compaction'] as const;
const RUN_STATES = ['done', 'unchanged', 'deferred', 'failed'] as const;
const WAIT_REASONS = ['budget_exceeded', 'provider_unavailable', 'energy', 'not_due'] as const;

/** Metrics of the minds and of the energy that they draw. */
export const mindMetrics = {
  memory_llm_mind_runs_total: counter(
    'Runs of minds, by how they ended: `unchanged` found nothing new and cost nothing, `deferred` go on later.',
    { kind: MINDS, state: RUN_STATES },
  ),
  memory_llm_mind_waits_total: counter('Times a mind had to wait, by reason.', { kind: MINDS, reason: WAIT_REASONS }),
  memory_llm_energy_drawn_total: counter('Units of energy drawn for calls of models.', { kind: ENERGY_KINDS }),
  memory_llm_energy_returned_total: counter('Units of energy given back for calls that were not sent.', {
    kind: ENERGY_KINDS,
  }),
  memory_llm_energy_level_percent: gauge(
    'Lowest level of all tenants’ meters, in percent of the capacity; 100 while nothing was drawn. Read from the database when scraped.',
    {},
    'percent',
  ),
  memory_llm_consolidation_changes_total: counter(
    'Changes by runs of consolidation: memories merged, related or ranked again; merges `refused` by a check, and changes `skipped`, since their memories had changed meanwhile.',
    { change: ['merge', 'link', 'rerank', 'refused', 'skipped'] },
  ),
  memory_llm_consolidations_undone_total: counter('Runs of consolidation that were undone by hand.', {}),
  memory_llm_insights_total: counter(
    'Insights that a model or the rules worded, by what became of them: `created`; `quarantined` without evidence; `refused` by a check; `known` already; `groundless`, since what they rest on went meanwhile. `superseded` counts the earlier ones that they ended.',
    { outcome: ['created', 'superseded', 'quarantined', 'refused', 'known', 'groundless'] },
  ),
} satisfies Record<string, MetricDefinition>;
