import type { AuditFault, AuditFinding } from '@annals/storage';
import { type Finding, fail } from '../report/finding.js';

const COMPARE_WITH_BACKUP = 'Compare it with a backup, and find out who could write to the database beside Annals.';
const RESTORE_FROM_BACKUP =
  'Restore what is missing from a backup, and find out who could write to the database beside Annals.';
const ERASE_AGAIN = 'Erase the user again: DELETE /v1/users/….';

/** What is said of each fault: `row` is “row 3 of user ada in tenant …”, `user` is the same without the row. */
const SENTENCES: Readonly<Record<AuditFault, (row: string, user: string) => readonly [string, string]>> = {
  gap: (row) => [`History is missing before ${row}.`, RESTORE_FROM_BACKUP],
  wrong_predecessor: (row) => [`What comes before ${row} is not what it was written after.`, COMPARE_WITH_BACKUP],
  wrong_hash: (row) => [`A field of ${row} was changed after it was written.`, COMPARE_WITH_BACKUP],
  wrong_content: (row) => [`The content or the salt of ${row} was changed after it was written.`, COMPARE_WITH_BACKUP],
  content_missing: (row) => [
    `The content of ${row} is gone, though its memory was not purged, nor its user erased.`,
    RESTORE_FROM_BACKUP,
  ],
  content_not_erased: (row) => [
    `The content of ${row} is there, though its memory was purged or its user erased.`,
    ERASE_AGAIN,
  ],
  cut_off: (row, user) => [
    `The history of ${user} does not end where their row says, at ${row}: it was cut off, extended or replaced.`,
    RESTORE_FROM_BACKUP,
  ],
  unknown_user: (_row, user) => [`There is history of ${user}, but no such user.`, COMPARE_WITH_BACKUP],
  no_receipt: (row) => [`No receipt proves the erasure that ${row} tells of.`, RESTORE_FROM_BACKUP],
  forged_receipt: (row) => [
    `The receipt of the erasure at ${row} does not carry the signature of this installation.`,
    'It was changed, or another ANNALS_SECRET_KEY signed it.',
  ],
  stray_receipt: (row) => [
    `A receipt tells of an erasure at ${row}, but the history tells of none there.`,
    COMPARE_WITH_BACKUP,
  ],
  not_erased: (row, user) => [
    `A receipt tells of an erasure at ${row}, but ${user} does not count as erased.`,
    COMPARE_WITH_BACKUP,
  ],
  rewritten: (row) => [`Another row stands where ${row} was when the heads were exported.`, COMPARE_WITH_BACKUP],
  truncated: (row) => [
    `The history no longer reaches ${row}, as it did when the heads were exported.`,
    RESTORE_FROM_BACKUP,
  ],
  unknown_tenant: (_row, user) => [
    `Heads were exported of ${user}, which is gone.`,
    'If nobody deleted that tenant, restore a backup.',
  ],
};

/** A finding in one sentence, with what to do. */
export function describeAuditFinding({ fault, tenantId, userId, seq }: AuditFinding): Finding {
  const tenant = `tenant ${tenantId}`;
  const user = userId === null ? tenant : `user ${JSON.stringify(userId)} in ${tenant}`;
  const [found, advice] = SENTENCES[fault](seq === null ? user : `row ${seq} of ${user}`, user);
  return fail(`audit.${fault}`, found, advice);
}
