import { OWN } from '../recall/erasure-functions.sql.js';
import { TENANT } from '../sql/tenant-column.sql.js';
import { createFunctions, type DefinerFunction } from '../sql/definer-functions.sql.js';

/** An import asks which of its ids were deleted here. */
export const DELETIONS_BY_SUBJECT = 'CREATE INDEX deletions_by_subject ON annals.deletions (of_tenant, subject)';

/**
 * What is tried out for somebody who waits (docs/reference/moving.md#dry-run-of-a-conversation). Unlogged: the words are
 * in no write-ahead log, replica or base backup. An erasure deletes all of the tenant's rows, whose callers repeat their
 * requests: its receipt has only the user's pseudonym.
 */
export const DRY_RUNS_SQL = /* sql */ `
CREATE UNLOGGED TABLE annals.dry_runs (
  ${TENANT},
  id uuid NOT NULL,
  request jsonb NOT NULL,
  -- Null until a worker has answered.
  result jsonb,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT dry_runs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id) ON DELETE CASCADE
);
CREATE INDEX dry_runs_by_expiry ON annals.dry_runs (expires_at)`;

export const DRY_RUN_PRIVILEGES = { dry_runs: 'SELECT, INSERT, UPDATE, DELETE' };
export const DRY_RUN_DEFINER_PRIVILEGES = { dry_runs: 'SELECT (expires_at)' };

export const END_DRY_RUNS_WITH_ERASURE =
  'CREATE TRIGGER end_dry_runs AFTER INSERT ON annals.erasure_receipts FOR EACH ROW EXECUTE FUNCTION annals.end_dry_runs()';

const FUNCTIONS: readonly DefinerFunction[] = [
  {
    signature: 'end_dry_runs()',
    body: /* sql */ `
      RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        DELETE FROM annals.dry_runs t WHERE t.tenant_id = NEW.tenant_id;
        RETURN NULL;
      END $$`,
  },
  {
    // Whose gateway has died before it took the answer.
    signature: 'purge_dry_runs(at timestamptz)',
    body: /* sql */ `
      RETURNS bigint LANGUAGE sql VOLATILE AS $$
        WITH gone AS (DELETE FROM annals.dry_runs t WHERE t.expires_at <= at RETURNING 1)
        SELECT count(*) FROM gone
      $$`,
  },
  {
    // Which of these ids somebody had deleted, of the session's tenant: memories unless they were restored since.
    signature: 'find_deleted_ids(ids uuid[])',
    body: /* sql */ `
      RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
        SELECT l.subject::uuid FROM (
          SELECT DISTINCT ON (d.subject) d.subject, d.kind FROM annals.deletions d
           WHERE d.of_tenant = ${OWN} AND d.subject = ANY (ids::text[])
             AND d.kind IN ('memory', 'memory_restored', 'memory_forgotten', 'message', 'conversation')
           ORDER BY d.subject, d.ordinal DESC) l
         WHERE l.kind <> 'memory_restored'
      $$`,
  },
  {
    // When each of these was last deleted, of the session's tenant: what has ids or words of a person, as an HMAC.
    signature: 'find_keyed_deletions(subjects text[])',
    body: /* sql */ `
      RETURNS TABLE (of_subject text, last_at timestamptz) LANGUAGE sql STABLE AS $$
        SELECT d.subject, max(d.deleted_at) FROM annals.deletions d
         WHERE d.of_tenant = ${OWN} AND d.subject = ANY (subjects) AND d.kind IN ('context_goal', 'memory_words', 'conversation_thread')
         GROUP BY d.subject
      $$`,
  },
];

export const MOVING_FUNCTIONS_SQL = createFunctions(FUNCTIONS);
