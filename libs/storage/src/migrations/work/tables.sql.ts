import { grantToDefiner } from '../sql/tenant-policies.sql.js';

/** Whether a row waits to be released; work that has failed waits for nobody. As in the indexes of what waits. */
export function waits(row: string): string {
  return `${row}.released_at IS NULL AND ${row}.failed_at IS NULL`;
}

const TABLES = /* sql */ `
ALTER TABLE annals.outbox RENAME TO work;
ALTER TABLE annals.work RENAME COLUMN queue TO kind;
ALTER TABLE annals.work RENAME COLUMN batch_id TO subject_id;
ALTER TABLE annals.work
  -- The subject can be a user, and of one batch there can be work that outlives it.
  DROP CONSTRAINT outbox_tenant_id_batch_id_fkey,
  -- The claim of a worker. Batches have theirs in their own row.
  ADD COLUMN claimed_until timestamptz,
  ADD COLUMN fence bigint NOT NULL DEFAULT 0,
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN deferred_reason text
    CONSTRAINT work_deferred_reason_check CHECK (deferred_reason IN ('budget_exceeded', 'provider_unavailable')),
  ADD COLUMN failed_at timestamptz,
  ADD COLUMN failure_code text;
ALTER TABLE annals.work RENAME CONSTRAINT outbox_pkey TO work_pkey;
ALTER TABLE annals.work RENAME CONSTRAINT outbox_tenant_id_batch_id_queue_key TO work_tenant_id_subject_id_kind_key;
ALTER INDEX annals.outbox_in_flight RENAME TO work_in_flight;
ALTER INDEX annals.outbox_released RENAME TO work_released;
DROP INDEX annals.outbox_waiting, annals.outbox_due;
CREATE INDEX work_waiting ON annals.work
  (kind, tenant_id, (CASE WHEN rank_at < available_at THEN 1 ELSE 0 END), available_at) WHERE ${waits('work')};
CREATE INDEX work_due ON annals.work (available_at) WHERE ${waits('work')};
CREATE INDEX work_deferred ON annals.work (deferred_reason, tenant_id, id) WHERE deferred_reason IS NOT NULL;
CREATE INDEX work_failed ON annals.work (tenant_id, id) WHERE failed_at IS NOT NULL;

-- The user as subject of work. Work rows and queues carry it in place of user_id, which may say who somebody is. The
-- default is set afterwards, for new rows only: adding the column with it would rewrite the table. Users who are there
-- already get theirs when they are locked the next time.
ALTER TABLE annals.users ADD COLUMN subject_id uuid;
ALTER TABLE annals.users ALTER COLUMN subject_id SET DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX users_by_subject ON annals.users (tenant_id, subject_id) WHERE subject_id IS NOT NULL;
`;

/**
 * The table as processes of the release before know it, with the kinds of work that they have; their functions read and
 * write it too. Goes in the next release.
 */
const EARLIER_VIEW = /* sql */ `
CREATE VIEW annals.outbox WITH (security_invoker = true) AS
  SELECT w.tenant_id, w.id, w.kind AS queue, w.subject_id AS batch_id, w.generation, w.available_at, w.rank_at,
         w.leased_until, w.released_at, w.checked_at, w.trace, w.created_at
    FROM annals.work w WHERE w.kind IN ('extraction', 'persistence') AND w.failed_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON annals.outbox TO annals_app;
GRANT SELECT, UPDATE, DELETE ON annals.outbox TO annals_definer
`;

export const WORK_TABLES_SQL = [TABLES, EARLIER_VIEW, ...grantToDefiner({ users: 'SELECT (subject_id)' })].join(';\n');
