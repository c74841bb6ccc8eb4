/** What somebody asked to have deleted, so that a restored backup can be made to forget it again. */
export const DELETIONS_TABLES_SQL = /* sql */ `
-- docs/reference/deletions.md. Not a table of a tenant: an entry outlives its tenant, and only functions see it.
CREATE TABLE annals.deletions (
  id uuid NOT NULL PRIMARY KEY,
  -- The order in which deletions of one thing were made: who makes the second waits for the first.
  ordinal bigint GENERATED ALWAYS AS IDENTITY,
  -- The place in the exported list; null until it is exported, since transactions commit in another order.
  seq bigint UNIQUE,
  of_tenant uuid NOT NULL,
  kind text NOT NULL,
  -- An id that Annals made, or a keyed HMAC of ids of the caller. Never an id of the caller.
  subject text NOT NULL,
  deleted_at timestamptz NOT NULL
);
CREATE INDEX deletions_without_seq ON annals.deletions (ordinal) WHERE seq IS NULL`;

/** After the functions that they call. Triggers, so that processes of the release before are recorded as well. */
export const DELETION_TRIGGERS_SQL = /* sql */ `
CREATE TRIGGER note_memory_deletion AFTER UPDATE ON annals.memories FOR EACH ROW
  WHEN (OLD.deleted_by IS DISTINCT FROM NEW.deleted_by AND (OLD.deleted_by = 'user' OR NEW.deleted_by = 'user'))
  EXECUTE FUNCTION annals.note_memory_deletion();
CREATE TRIGGER note_erasure AFTER INSERT ON annals.erasure_receipts FOR EACH ROW
  EXECUTE FUNCTION annals.note_erasure();
CREATE TRIGGER note_key_revocation AFTER UPDATE ON annals.api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION annals.note_key_revocation()`;
