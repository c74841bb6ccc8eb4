import { highest, increase } from '../promql.ts';
import { defineAlerts } from './alert.ts';

/** Alerts of the Markdown vault. Memories are written and served whatever happens to their files. */
export const vaultAlerts = defineAlerts({
  AnnalsVaultUnavailable: {
    severity: 'ticket',
    value: highest('memory_llm_work_deferred', { where: { reason: 'vault_unavailable' } }),
    fires: '> 0',
    for: '15m',
    summary: '{{ $value }} folders of the vault cannot be written.',
    meaning:
      'The disk of the vault is full, read-only or absent, Git is missing, or a person is in the middle of a merge. What was forgotten or erased is still in these files. It is tried again at least every five minutes.',
    checks: [
      '`vault_unavailable` in the log of consolidation-worker: its `reason` (docs/operating.md#reasons-of-vault_unavailable) and whose folder it is.',
    ],
    actions: [
      'Free space, mount the volume, or give its folder to the user of the process; nothing else has to be done.',
      'A merge or rebase in a folder: finish it, or go back to the branch main.',
    ],
  },
  AnnalsVaultOverdue: {
    severity: 'ticket',
    value: highest('memory_llm_work_oldest_due_ms', { where: { queue: 'vault' } }),
    fires: '> 1800000',
    for: '5m',
    summary: 'Work of the vault has been due for {{ $value | humanize }} ms.',
    meaning:
      'No process writes the vault, or it does not keep up. What was forgotten or erased is still in its files until then.',
    checks: [
      'Whether a process with `ANNALS_VAULT_PATH` runs; `memory_llm_work_due{queue="vault"}` and `memory_llm_work_in_flight{queue="vault"}`.',
      'The disk: many small files are written, with a flush of each.',
    ],
    actions: [
      'Start the process, or add one that sees the same folder; give it a faster disk.',
      'If the vault was given up: `annals vault off`.',
    ],
  },
  AnnalsVaultFails: {
    severity: 'ticket',
    value: highest('memory_llm_work_failed', { where: { queue: 'vault' } }),
    fires: '> 0',
    for: '10m',
    summary: 'Writing {{ $value }} folders of the vault has failed.',
    meaning:
      'They are not tried again until something about their user changes. What was forgotten or erased may still be in these files.',
    checks: [
      '`GET /v1/admin/work?status=failed`: user and code; `job_exhausted` in the log of consolidation-worker: the error.',
      'Git’s own check of a repository: `git fsck` in the folder.',
    ],
    actions: [
      'Correct the cause, then `POST /v1/admin/work/{id}/replay` for each: also those of erased users, which `annals vault check --repair` does not ask for.',
    ],
  },
  AnnalsVaultFilesRefused: {
    severity: 'ticket',
    value: increase('memory_llm_vault_files_total', { where: { outcome: 'refused' }, over: '1h' }),
    fires: '> 0',
    for: '0m',
    summary: '{{ $value | humanize }} files of the vault could not be written in the last hour.',
    meaning: 'A link, a folder or something else that is no file is in their place. Annals follows no links there.',
    checks: [
      '`vault_written` in the log of consolidation-worker, with `refused`, names tenant and subject.',
      '`annals vault check`: `vault.different` names the paths.',
    ],
    actions: ['Remove what is in the place of the files, then `annals vault check --repair`.'],
  },
});
