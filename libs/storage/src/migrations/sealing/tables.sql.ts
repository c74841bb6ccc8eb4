/** Columns of chains without user ids, and the requests to rewrite the files of the embedded database. */
export const SEALING_TABLES_SQL = /* sql */ `
-- Rows of processes that do not know of versions are of version 1: their hash covers the user's id.
ALTER TABLE annals.history
  ADD COLUMN version smallint NOT NULL DEFAULT 1,
  -- Of the memory as the write leaves it (docs/reference/audit.md#what-is-served-is-compared).
  ADD COLUMN state_hmac bytea,
  -- Keyed HMAC of the hash that a row had before it was rewritten without the user's id.
  ADD COLUMN replaced_hash bytea;

-- The id of an erased user, and what stands for every user in their chain
-- (docs/reference/audit.md#pseudonyms-of-users).
ALTER TABLE annals.users ADD COLUMN pseudonym text;

-- Where a chain ended that named its user: sequence number, and keyed HMAC of the head.
ALTER TABLE annals.erasure_receipts ADD COLUMN resealed jsonb;

-- One row for each deletion whose words may remain in the files of the embedded database until they are rewritten
-- (docs/reference/privacy.md#erased-words-in-files). Empty on a server.
CREATE TABLE annals.file_scrubs (
  id uuid NOT NULL PRIMARY KEY
);
-- What earlier releases deleted is in the files still.
INSERT INTO annals.file_scrubs (id)
SELECT gen_random_uuid()
 WHERE current_setting('annals.embedded', true) = 'on' AND EXISTS (SELECT FROM annals.tenants)`;

/** Statements that delete what people have said: each of them requests that files be rewritten. */
const DELETIONS = [
  ['memories', 'DELETE'],
  ['conversations', 'DELETE'],
  ['tenants', 'DELETE'],
  ['erasure_receipts', 'INSERT'],
] as const;

/** After the function `request_file_scrub`. */
export const SCRUB_TRIGGERS_SQL = DELETIONS.map(([table, event]) => scrubTrigger(table, event)).join(';');

/** Behind each such statement, the files of the embedded database are rewritten. */
export function scrubTrigger(table: string, event: 'DELETE' | 'INSERT'): string {
  return /* sql */ `
CREATE TRIGGER request_file_scrub AFTER ${event} ON annals.${table}
  REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS affected
  FOR EACH STATEMENT EXECUTE FUNCTION annals.request_file_scrub()`;
}
