import type { Dashboard, Panel } from '../panel.ts';
import { divide, highest, increase, lowest } from '../promql.ts';

const HOUR = { over: '1h' } as const;

const runs: readonly Panel[] = [
  {
    title: 'How do runs of minds end?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_mind_runs_total', { by: ['kind', 'state'], ...HOUR }),
        legend: '{{kind}}: {{state}}',
      },
    ],
    runbook: 'AnnalsMindsFail',
  },
  {
    title: 'Which share of the runs fails?',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(
          increase('memory_llm_mind_runs_total', { by: ['kind'], where: { state: 'failed' }, ...HOUR }),
          increase('memory_llm_mind_runs_total', { by: ['kind'], ...HOUR }),
        ),
        legend: '{{kind}}',
      },
    ],
    target: { value: 0.2 },
    runbook: 'AnnalsMindsFail',
  },
  {
    title: 'Why do minds wait?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_mind_waits_total', { by: ['kind', 'reason'], ...HOUR }),
        legend: '{{kind}}: {{reason}}',
      },
    ],
    runbook: 'AnnalsEnergyExhausted',
  },
  {
    title: 'Since when is the oldest work of minds due?',
    unit: 'ms',
    queries: [
      {
        expr: highest('memory_llm_work_oldest_due_ms', {
          by: ['queue'],
          where: { queue: { matches: 'insights|consolidation|summary|app_memory' } },
        }),
        legend: '{{queue}}',
      },
    ],
    target: { value: 86_400_000 },
    runbook: 'AnnalsMindsOverdue',
  },
];

const results: readonly Panel[] = [
  {
    title: 'What does consolidation change?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_consolidation_changes_total', { by: ['change'], ...HOUR }), legend: '{{change}}' },
    ],
    runbook: 'operating.md#minds',
  },
  {
    title: 'How many runs of consolidation are undone?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_consolidations_undone_total', HOUR), legend: 'undone' }],
    runbook: 'operating.md#minds',
  },
  {
    title: 'What becomes of insights?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_insights_total', { by: ['outcome'], ...HOUR }), legend: '{{outcome}}' }],
    runbook: 'operating.md#minds',
  },
  {
    title: 'How many summaries are made, and what do conversations lose?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_summaries_total', { by: ['tier'], ...HOUR }), legend: 'summary: {{tier}}' },
      { expr: increase('memory_llm_evicted_total', { by: ['entry'], ...HOUR }), legend: 'evicted: {{entry}}' },
    ],
    runbook: 'operating.md#minds',
  },
];

const energy: readonly Panel[] = [
  {
    title: 'How much energy is drawn, and given back?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_energy_drawn_total', { by: ['kind'], ...HOUR }), legend: 'drawn: {{kind}}' },
      { expr: increase('memory_llm_energy_returned_total', { by: ['kind'], ...HOUR }), legend: 'given back: {{kind}}' },
    ],
    runbook: 'AnnalsEnergyExhausted',
  },
  {
    title: 'How full is the emptiest meter of a tenant?',
    unit: 'percent',
    queries: [{ expr: lowest('memory_llm_energy_level_percent'), legend: 'lowest level' }],
    target: { value: 20, isFloor: true },
    runbook: 'AnnalsEnergyExhausted',
  },
];

const apps: readonly Panel[] = [
  {
    title: 'How many app memories are made, and how many fail?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_app_memories_created_total', { by: ['provider'], ...HOUR }),
        legend: '{{provider}}',
      },
      {
        expr: increase('memory_llm_app_memory_failures_total', { by: ['task'], ...HOUR }),
        legend: 'failed: {{task}}',
      },
    ],
    runbook: 'AnnalsAppMemoriesFail',
  },
  {
    title: 'How often does an app memory have to go for a new one?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_app_memory_compactions_total', { by: ['action'], ...HOUR }), legend: '{{action}}' },
    ],
    runbook: 'AnnalsAppMemoriesFail',
  },
  {
    title: 'Which share of the apps has memories?',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(highest('memory_llm_apps_with_memories'), highest('memory_llm_apps')),
        legend: 'apps with memories',
      },
    ],
    runbook: 'AnnalsAppMemoriesFail',
  },
  {
    title: 'Which share of the conversations of apps gets app memories?',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(
          increase('memory_llm_app_contexts_injected_total', HOUR),
          increase('memory_llm_app_conversations_total', HOUR),
        ),
        legend: 'contexts for each conversation',
      },
    ],
    runbook: 'AnnalsAppMemoriesFail',
  },
  {
    title: 'What do app memories cost in energy?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_energy_drawn_total', {
          by: ['kind'],
          where: { kind: { matches: 'app_memory|app_compaction' } },
          ...HOUR,
        }),
        legend: '{{kind}}',
      },
    ],
    runbook: 'AnnalsEnergyExhausted',
  },
];

/** Runs, what they change, energy, and the five metrics of app memories. */
export const minds: Dashboard = {
  uid: 'annals-minds',
  title: 'Annals / Minds',
  description: 'Background thought: what it does, what it costs, what waits.',
  panels: [...runs, ...results, ...energy, ...apps],
};
