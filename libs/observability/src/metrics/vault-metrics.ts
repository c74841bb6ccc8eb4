import { counter, gauge, type MetricDefinition } from './definition.js';

/** The Markdown vault (docs/reference/vault.md). */
export const vaultMetrics = {
  memory_llm_vault_files_total: counter(
    'Files of the vault, by what happened: `written`, `removed`, `conflict` (a change that somebody made to a file was kept beside it), `refused` (a link or a folder is in the place of the file).',
    { outcome: ['written', 'removed', 'conflict', 'refused'] },
  ),
  memory_llm_vault_edits_total: counter(
    'What people did to files of the vault: `changed`, `added`, `deleted` and `restored` became changes of memories; `refused` was left, or kept beside the file; `returned` was written again as the database has it; `withheld` are deletions that were too many at once.',
    { edit: ['changed', 'added', 'deleted', 'restored', 'refused', 'returned', 'withheld'] },
  ),
  memory_llm_vault_commits_total: counter('Commits to the repositories of the vault.', {}),
  memory_llm_vault_rewrites_total: counter(
    'Histories of the vault that were rewritten because something was forgotten.',
    {},
  ),
  memory_llm_vault_erasures_total: counter('Folders of erased users that were removed from the vault.', {}),
  memory_llm_vault_watched_folders: gauge(
    'Folders of the vault that this process watches for changes that people make.',
    {},
  ),
  memory_llm_vault_changes_noticed_total: counter(
    'Times that files of a user were found to be changed by somebody else than this process, by how: `event` (of the file system) or `scan` (at the start, every hour, and every minute of what cannot be watched).',
    { by: ['event', 'scan'] },
  ),
} satisfies Record<string, MetricDefinition>;
