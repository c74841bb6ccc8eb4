import type { Dashboard, Panel } from '../panel.ts';
import { add, divide, increase, mean, orZero, rate } from '../promql.ts';

const junk: readonly Panel[] = [
  {
    title: 'Which share of the extracted memories is of no use?',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(rate('memory_llm_memories_junk_total'), rate('memory_llm_memories_extracted_total')),
        legend: 'junk',
      },
    ],
    target: { value: 0.1 },
    runbook: 'AnnalsJunkHigh',
  },
  {
    title: 'Why are memories of no use?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_memories_junk_total', { by: ['cause'], over: '1h' }), legend: '{{cause}}' }],
    runbook: 'AnnalsJunkHigh',
  },
  {
    title: 'Why are memories quarantined?',
    unit: 'short',
    queries: [
      {
        expr: orZero(increase('memory_llm_memories_quarantined_total', { by: ['reason'], over: '1h' })),
        legend: '{{reason}}',
      },
    ],
    runbook: 'AnnalsQuarantineSurge',
  },
  {
    title: 'Which share is well formed at first? (at least 95 %)',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(
          rate('memory_llm_writing_checked_total', { where: { outcome: 'passed' } }),
          rate('memory_llm_writing_checked_total'),
        ),
        legend: 'passed',
      },
    ],
    target: { value: 0.95, isFloor: true },
    runbook: 'AnnalsWritingViolated',
  },
  {
    title: 'Which writing constraints are violated?',
    unit: 'short',
    queries: [
      {
        expr: orZero(increase('memory_llm_writing_violations_total', { by: ['rule'], over: '1h' })),
        legend: '{{rule}}',
      },
    ],
    runbook: 'AnnalsWritingViolated',
  },
];

const currency: readonly Panel[] = [
  {
    title: 'How many memories take the place of an earlier one?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_persist_superseded_total', { over: '1h' }), legend: 'superseded' }],
    runbook: 'AnnalsReconciliationUndecided',
  },
  {
    title: 'Which share of what is extracted is known already?',
    unit: 'percentunit',
    queries: [
      {
        expr: divide(
          add(rate('memory_llm_persist_skipped_duplicate_total'), rate('memory_llm_persist_updated_total')),
          rate('memory_llm_memories_extracted_total'),
        ),
        legend: 'duplicates',
      },
    ],
    runbook: 'AnnalsReconciliationUndecided',
  },
  {
    title: 'How are memories reconciled with earlier ones?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_reconciliations_total', { by: ['outcome'], over: '1h' }), legend: '{{outcome}}' },
      { expr: increase('memory_llm_late_merges_total', { over: '1h' }), legend: 'merged by late vectors' },
    ],
    runbook: 'AnnalsReconciliationUndecided',
  },
  {
    title: 'How many memories are extracted, by which provider?',
    unit: 'ops',
    queries: [{ expr: rate('memory_llm_memories_extracted_total', { by: ['provider'] }), legend: '{{provider}}' }],
    runbook: 'AnnalsJunkHigh',
  },
  {
    title: 'How many memories end?',
    unit: 'short',
    queries: [
      { expr: increase('memory_llm_memories_expired_total', { over: '1h' }), legend: 'expired' },
      { expr: increase('memory_llm_memories_purged_total', { over: '1h' }), legend: 'purged' },
      { expr: increase('memory_llm_erasures_total', { by: ['kind'], over: '1h' }), legend: 'erased: {{kind}}' },
    ],
    runbook: 'AnnalsErasureOverdue',
  },
];

const forms: readonly Panel[] = [
  {
    title: 'How much is redacted before it is stored?',
    unit: 'short',
    queries: [{ expr: increase('memory_llm_redactions_total', { by: ['type'], over: '1h' }), legend: '{{type}}' }],
    runbook: 'operating.md#security',
  },
  {
    title: 'How much shorter are summaries than what they cover?',
    unit: 'percentunit',
    queries: [{ expr: mean('memory_llm_summary_compression_ratio', { by: ['tier'] }), legend: '{{tier}}' }],
    runbook: 'operating.md#minds',
  },
  {
    title: 'Which sentences of summaries are not let through?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_summary_sentences_rejected_total', { by: ['fault'], over: '1h' }),
        legend: '{{fault}}',
      },
    ],
    runbook: 'operating.md#minds',
  },
  {
    title: 'What becomes of long messages and of workflows?',
    unit: 'short',
    queries: [
      {
        expr: increase('memory_llm_multi_fact_total', { by: ['outcome'], over: '1h' }),
        legend: 'second call: {{outcome}}',
      },
      {
        expr: increase('memory_llm_procedures_total', { by: ['outcome'], over: '1h' }),
        legend: 'procedure: {{outcome}}',
      },
    ],
    runbook: 'AnnalsJunkHigh',
  },
];

/** Junk, quarantine, supersession, duplicates and form. */
export const memoryQuality: Dashboard = {
  uid: 'annals-quality',
  title: 'Annals / Memory quality',
  description: 'Whether what is remembered is grounded, well formed, current and there once.',
  panels: [...junk, ...currency, ...forms],
};
