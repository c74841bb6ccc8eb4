import type { Dashboard } from '../panel.ts';
import { highest, increase, quantile, rate } from '../promql.ts';

/** What is written to the Markdown vault, how soon, and what cannot be. */
export const vault: Dashboard = {
  uid: 'annals-vault',
  title: 'Annals / Vault',
  description: 'What is written to the Markdown vault, how soon, and what cannot be.',
  panels: [
    {
      title: 'How many files are written and removed?',
      unit: 'ops',
      queries: [
        {
          expr: rate('memory_llm_vault_files_total', {
            by: ['outcome'],
            where: { outcome: { matches: 'written|removed' } },
          }),
          legend: '{{outcome}}',
        },
        { expr: rate('memory_llm_vault_commits_total'), legend: 'commits' },
      ],
      runbook: 'operating.md#vault',
    },
    {
      title: 'How many changes of others were kept, and files refused, in an hour?',
      unit: 'short',
      queries: [
        {
          expr: increase('memory_llm_vault_files_total', {
            by: ['outcome'],
            where: { outcome: { matches: 'conflict|refused' } },
            over: '1h',
          }),
          legend: '{{outcome}}',
        },
      ],
      runbook: 'AnnalsVaultFilesRefused',
    },
    {
      title: 'How often were files of a user found to be changed by people?',
      unit: 'ops',
      queries: [{ expr: rate('memory_llm_vault_changes_noticed_total', { by: ['by'] }), legend: '{{by}}' }],
      runbook: 'operating.md#vault',
    },
    {
      title: 'How many folders does a process watch?',
      unit: 'short',
      queries: [{ expr: highest('memory_llm_vault_watched_folders'), legend: 'folders' }],
      runbook: 'operating.md#vault',
    },
    {
      title: 'What did people do to files, in an hour?',
      unit: 'short',
      queries: [{ expr: increase('memory_llm_vault_edits_total', { by: ['edit'], over: '1h' }), legend: '{{edit}}' }],
      runbook: 'operating.md#vault',
    },
    {
      title: 'How many folders wait to be written, or are being written?',
      unit: 'short',
      queries: [
        { expr: highest('memory_llm_work_due', { where: { queue: 'vault' } }), legend: 'due' },
        { expr: highest('memory_llm_work_in_flight', { where: { queue: 'vault' } }), legend: 'with a worker' },
      ],
      runbook: 'AnnalsVaultOverdue',
    },
    {
      title: 'Since when is the oldest of this work due?',
      unit: 'ms',
      queries: [{ expr: highest('memory_llm_work_oldest_due_ms', { where: { queue: 'vault' } }), legend: 'oldest' }],
      target: { value: 1_800_000 },
      runbook: 'AnnalsVaultOverdue',
    },
    {
      title: 'How many folders cannot be written now, and how many were given up?',
      unit: 'short',
      queries: [
        {
          expr: highest('memory_llm_work_deferred', { where: { reason: 'vault_unavailable' } }),
          legend: 'deferred: vault_unavailable',
        },
        { expr: highest('memory_llm_work_failed', { where: { queue: 'vault' } }), legend: 'failed' },
      ],
      runbook: 'AnnalsVaultUnavailable',
    },
    {
      title: 'How long does it take to bring a folder up to date (95 %)?',
      unit: 'ms',
      queries: [
        {
          expr: quantile(0.95, 'memory_llm_job_run_ms', { by: ['outcome'], where: { queue: 'vault' } }),
          legend: '{{outcome}}',
        },
      ],
      runbook: 'operating.md#vault',
    },
    {
      title: 'How many histories were rewritten to forget, and folders of erased users removed, in an hour?',
      unit: 'short',
      queries: [
        { expr: increase('memory_llm_vault_rewrites_total', { over: '1h' }), legend: 'rewritten' },
        { expr: increase('memory_llm_vault_erasures_total', { over: '1h' }), legend: 'removed' },
      ],
      runbook: 'operating.md#vault',
    },
  ],
};
