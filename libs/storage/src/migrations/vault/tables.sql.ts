import { TENANT } from '../sql/tenant-column.sql.js';
import { widenCheck } from '../sql/widen-check.sql.js';

/** Whether there is a vault, and what it has to remove of users who were erased (docs/reference/vault.md). */
export const VAULT_TABLES_SQL = [
  /* sql */ `
-- Of the installation: one row while a process writes a vault, which renews it. Without it nobody asks for its work.
CREATE TABLE annals.vault_switch (
  is_on boolean NOT NULL PRIMARY KEY DEFAULT true CONSTRAINT vault_switch_is_on_check CHECK (is_on),
  on_until timestamptz NOT NULL
)`,
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
  vault_switch: 'SELECT, INSERT, UPDATE, DELETE',
  vault_erasures:
    'SELECT (subject_id, pseudonym, receipt_id, removed_at), INSERT (tenant_id, subject_id, pseudonym, requested_at), UPDATE (receipt_id)',
  users: 'SELECT (user_id, subject_id, pseudonym, chain_seq), UPDATE (subject_id)',
  conversations: 'SELECT (id, user_id)',
  work: 'SELECT, INSERT, UPDATE, DELETE',
};
