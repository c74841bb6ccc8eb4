import type { AuditFault, AuditFinding } from '@annals/storage';
import { fail, type Finding } from '../report.js';

const COMPARE_WITH_BACKUP = 'Compare it with a backup, and find out who except Annals could write to the database.';
const RESTORE_FROM_BACKUP =
  'Restore what is missing from a backup, and find out who except Annals could write to the database.';
const ERASE_AGAIN = 'Erase the user again: DELETE /v1/users/….';

/**
 * Finding and advice for each fault: `row` is “row 3 of user ada in tenant …”, `user` is the same without the row,
 * `memory` is “memory 0193… of user ada in tenant …”.
 */
const SENTENCES: Readonly<
  Record<AuditFault, (row: string, user: string, memory: string) => readonly [string, string]>
> = {
  gap: (row) => [`History is missing before ${row}.`, RESTORE_FROM_BACKUP],
  wrong_predecessor: (row) => [
    `The previous hash in ${row} is not the hash of the row before it.`,
    COMPARE_WITH_BACKUP,
  ],
  wrong_hash: (row) => [`A field of ${row} was changed after it was written.`, COMPARE_WITH_BACKUP],
  wrong_content: (row) => [`The content or the salt of ${row} was changed after it was written.`, COMPARE_WITH_BACKUP],
  content_missing: (row) => [
    `The content of ${row} is missing, although neither its memory was purged nor its user erased.`,
    RESTORE_FROM_BACKUP,
  ],
  content_not_erased: (row) => [
    `The content of ${row} still exists, although its memory was purged or its user erased.`,
    ERASE_AGAIN,
  ],
  cut_off: (row, user) => [
    `The history of ${user} does not end at its recorded head, ${row}: it was truncated, extended or replaced.`,
    RESTORE_FROM_BACKUP,
  ],
  unknown_user: (_row, user) => [`There is history of ${user}, but no such user.`, COMPARE_WITH_BACKUP],
  no_receipt: (row) => [`There is no receipt for the erasure recorded in ${row}.`, RESTORE_FROM_BACKUP],
  forged_receipt: (row) => [
    `The receipt for the erasure at ${row} has no valid signature of this installation.`,
    'It was changed, or it was signed with another ANNALS_SECRET_KEY.',
  ],
  forged_removal: (row) => [
    `What the receipt for the erasure at ${row} says of the vault has no valid signature of this installation.`,
    'It was changed, or it was signed with another ANNALS_SECRET_KEY. Look whether the folder is gone, with annals vault check.',
  ],
  stray_receipt: (row) => [
    `There is a receipt for an erasure at ${row}, but the history records no erasure there.`,
    COMPARE_WITH_BACKUP,
  ],
  not_erased: (row, user) => [
    `There is a receipt for an erasure at ${row}, but ${user} is not marked as erased.`,
    COMPARE_WITH_BACKUP,
  ],
  rewritten: (row) => [
    `The hash of ${row} is not the one in the exported heads: the history was rewritten.`,
    COMPARE_WITH_BACKUP,
  ],
  truncated: (row) => [
    `The history no longer reaches ${row}, the head that was exported: it was truncated.`,
    RESTORE_FROM_BACKUP,
  ],
  unknown_tenant: (_row, user) => [
    `A head was exported for ${user}, but this tenant does not exist any more.`,
    'If the tenant was not deleted on purpose, restore a backup.',
  ],
  wrong_pseudonym: (_row, user) => [
    `The pseudonym in the history of ${user} is not the one of this user.`,
    'It was changed, or ANNALS_SECRET_KEY is not the one that the history was written with.',
  ],
  memory_content_changed: (_row, _user, memory) => [
    `The content of ${memory} is not the one that its history recorded.`,
    COMPARE_WITH_BACKUP,
  ],
  memory_state_changed: (_row, _user, memory) => [
    `State or fields of ${memory} are not those that its history recorded.`,
    'Compare it with a backup. If every memory is reported, ANNALS_SECRET_KEY is not the one that they were written with.',
  ],
  memory_inserted: (_row, _user, memory) => [`There is no history of ${memory}.`, COMPARE_WITH_BACKUP],
  memory_removed: (_row, _user, memory) => [
    `There is no ${memory}, although its history records neither a purge nor an erasure.`,
    RESTORE_FROM_BACKUP,
  ],
};

export function describeAuditFinding({ fault, tenantId, userId, seq, memoryId }: AuditFinding): Finding {
  const tenant = `tenant ${tenantId}`;
  const user = userId === null ? tenant : `user ${JSON.stringify(userId)} in ${tenant}`;
  const row = seq === null ? user : `row ${seq} of ${user}`;
  const [found, advice] = SENTENCES[fault](row, user, `memory ${memoryId} of ${user}`);
  return fail(`audit.${fault}`, found, advice);
}
