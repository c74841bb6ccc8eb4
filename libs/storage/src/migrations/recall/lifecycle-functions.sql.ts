import type { DefinerFunction } from '../sql/definer-functions.sql.js';

export const LIFECYCLE_FUNCTIONS: readonly DefinerFunction[] = [
  {
    // The job that is due longest goes first: what is not finished is due anew behind all others that were waiting.
    signature: 'lease_maintenance(names text[], holder uuid, at timestamptz, lease_ms integer)',
    body: /* sql */ `
      RETURNS TABLE (name text, cursor jsonb, failures integer) LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        INSERT INTO annals.maintenance_jobs (name, due_at)
        SELECT wanted, at FROM unnest(names) wanted
         WHERE NOT EXISTS (SELECT FROM annals.maintenance_jobs k WHERE k.name = wanted)
         ORDER BY wanted ON CONFLICT DO NOTHING;
        RETURN QUERY
          UPDATE annals.maintenance_jobs j
             SET leased_by = holder, lease_until = at + lease_ms * interval '1 millisecond', runs = j.runs + 1
            FROM (SELECT k.name FROM annals.maintenance_jobs k
                   WHERE k.name = ANY (names) AND k.due_at <= at AND (k.lease_until IS NULL OR k.lease_until <= at)
                   ORDER BY k.due_at, k.name LIMIT 1 FOR UPDATE SKIP LOCKED) due
           WHERE j.name = due.name
          RETURNING j.name, j.cursor, j.failures;
      END $$`,
  },
  {
    signature: 'renew_maintenance(job text, holder uuid, at timestamptz, lease_ms integer)',
    body: /* sql */ `
      RETURNS boolean LANGUAGE sql VOLATILE AS $$
        WITH renewed AS (
          UPDATE annals.maintenance_jobs j SET lease_until = at + lease_ms * interval '1 millisecond'
           WHERE j.name = job AND j.leased_by = holder RETURNING 1)
        SELECT EXISTS (SELECT FROM renewed)
      $$`,
  },
  {
    signature: `finish_maintenance(job text, holder uuid, at timestamptz, next_due timestamptz, reached jsonb,
                                   worked bigint, problem text)`,
    body: /* sql */ `
      RETURNS boolean LANGUAGE sql VOLATILE AS $$
        WITH finished AS (
          UPDATE annals.maintenance_jobs j
             SET due_at = next_due, leased_by = NULL, lease_until = NULL, cursor = reached, done = j.done + worked,
                 completed_at = CASE WHEN problem IS NULL AND reached IS NULL THEN at ELSE j.completed_at END,
                 failures = CASE WHEN problem IS NULL THEN 0 ELSE j.failures + 1 END,
                 last_error = coalesce(problem, j.last_error),
                 failed_at = CASE WHEN problem IS NULL THEN j.failed_at ELSE at END
           WHERE j.name = job AND j.leased_by = holder RETURNING 1)
        SELECT EXISTS (SELECT FROM finished)
      $$`,
  },
  {
    signature: 'maintenance_standing()',
    body: /* sql */ `
      RETURNS TABLE (name text, due_at timestamptz, lease_until timestamptz, under_way boolean,
                     completed_at timestamptz, runs bigint, done bigint, failures integer, last_error text,
                     failed_at timestamptz)
      LANGUAGE sql STABLE AS $$
        SELECT j.name, j.due_at, j.lease_until, j.cursor IS NOT NULL, j.completed_at, j.runs, j.done, j.failures,
               j.last_error, j.failed_at
          FROM annals.maintenance_jobs j ORDER BY j.name
      $$`,
  },
];
