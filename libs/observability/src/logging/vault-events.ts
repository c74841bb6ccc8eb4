import type { EventDefinition } from './event-definition.js';

/** Events of the Markdown vault (docs/reference/vault.md). */
export const vaultEvents = {
  vault_edits_taken: {
    when: 'when people did something to files of a user in the vault: `changed`, `added`, `deleted` and `restored` memories, `refused` files, what was `returned` as the database has it, and deletions that were `withheld` because they were too many at once',
    fields: {
      tenantId: 'string',
      subjectId: 'string',
      changed: 'number',
      added: 'number',
      deleted: 'number',
      restored: 'number',
      refused: 'number',
      returned: 'number',
      withheld: 'number',
    },
  },
  vault_written: {
    when: 'when files of a user in the vault were written or removed; `conflicts` are changes of others that were kept beside their file, `refused` files that cannot be written, `hasForgotten` says that the Git history was rewritten',
    fields: {
      tenantId: 'string',
      subjectId: 'string',
      written: 'number',
      removed: 'number',
      conflicts: 'number',
      refused: 'number',
      hasForgotten: 'boolean',
    },
  },
  vault_removed: {
    when: 'when the folder of an erased user was removed from the vault',
    fields: { tenantId: 'string', subjectId: 'string', files: 'number', commits: 'number' },
  },
  vault_unavailable: {
    when: 'when the folder or the repository of a user cannot be written now; it is tried again. `reason`: the code of the system, such as ENOSPC, or `busy`, `locked`, `git_missing`, `unsupported`, `failed` (docs/operating.md#vault)',
    fields: { tenantId: 'string', subjectId: 'string', reason: 'string' },
  },
  vault_not_watched: {
    when: 'when folders of the vault cannot be watched for changes that people make; until they can, their files are compared every minute. `reason`: ENOSPC (raise `fs.inotify.max_user_watches` above the number of folders), EMFILE (raise `fs.inotify.max_user_instances` or `ulimit -n`), or another code of the system',
    fields: { reason: 'string' },
  },
  vault_watch_failed: {
    when: 'when a change that somebody made to files of the vault could not be passed on; it is tried again',
    fields: { error: 'error' },
  },
} as const satisfies Record<string, EventDefinition>;
