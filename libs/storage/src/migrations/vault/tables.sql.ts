import { TENANT } from '../sql/tenant-column.sql.js';
import { widenCheck } from '../sql/widen-check.sql.js';

/** Whether there is a vault, and what it has to remove of users who were erased (docs/reference/vault.md). */
export const VAULT_TABLES_SQL = [
  /* sql */ `
-- Of the installation: one row once there was a vault. Until its time, which the process that writes the vault moves on,
-- changes are asked for; later, folders may still be there.
CREATE TABLE annals.vault_switch (
  is_known boolean NOT NULL PRIMARY KEY DEFAULT true CONSTRAINT vault_switch_is_known_check CHECK (is_known),
  on_until timestamptz NOT NULL,
  -- What the folder says that it is: another one, or an empty place where its volume is not mounted, is not taken for it.
  vault_id uuid,
  -- Since it is on, the vaults of all users were asked for.
  asked_at timestamptz
)`,
  /* sql */ `
-- Whose vault a transaction asks for when it commits, and only then: what it locks for that it locks last. Emptied by the
-- same transaction, so that nobody ever sees a row of another.
CREATE UNLOGGED TABLE annals.vault_notes (
  id uuid NOT NULL PRIMARY KEY,
  -- Found by it: rows that others have deleted are never looked at.
  transaction_id bigint NOT NULL,
  of_tenant uuid NOT NULL,
  subject_id uuid NOT NULL
)`,
  'CREATE INDEX vault_notes_by_transaction ON annals.vault_notes (transaction_id, subject_id)',
  /* sql */ `
-- Folders of erased users, by the id that stands for the user in work, and what was removed with them. Without the user.
CREATE TABLE annals.vault_erasures (
  ${TENANT},
  subject_id uuid NOT NULL,
  -- What the history and the receipt are under. Null until the rest of the erasure is written.
  pseudonym text NOT NULL,
  receipt_id uuid,
  requested_at timestamptz NOT NULL,
  removed_at timestamptz,
  files integer,
  commits integer,
  signature bytea,
  PRIMARY KEY (tenant_id, subject_id),
  CONSTRAINT vault_erasures_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
)`,
  'CREATE INDEX vault_erasures_by_pseudonym ON annals.vault_erasures (tenant_id, pseudonym)',
  widenCheck('work', 'deferred_reason', [
    'budget_exceeded',
    'provider_unavailable',
    'energy',
    'not_due',
    'vault_unavailable',
  ]),
].join(';\n');

/** What services may do: erasures are requested by triggers and functions alone. */
export const VAULT_APP_PRIVILEGES: Readonly<Record<string, string>> = {
  vault_erasures: 'SELECT, UPDATE (receipt_id, removed_at, files, commits, signature)',
};

export const VAULT_DEFINER_PRIVILEGES: Readonly<Record<string, string>> = {
  vault_switch: 'SELECT, INSERT, UPDATE',
  vault_notes: 'SELECT, INSERT, DELETE',
  vault_erasures:
    'SELECT (subject_id, pseudonym, receipt_id, removed_at), INSERT (tenant_id, subject_id, pseudonym, requested_at), UPDATE (receipt_id)',
  users: 'SELECT (user_id, subject_id, pseudonym, chain_seq), UPDATE (subject_id)',
  conversations: 'SELECT (id, user_id)',
  work: 'SELECT, INSERT, UPDATE, DELETE',
};
