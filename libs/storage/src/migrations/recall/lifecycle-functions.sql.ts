import { type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';

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
                   ORDER BY k.due_at, k.cursor IS NOT NULL, k.name LIMIT 1 FOR UPDATE SKIP LOCKED) due
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
  {
    // Reads on along the key, so that it needs no index which every read and every change would have to keep. The row
    // without a user says how far that was. Who goes in the end is decided again under the user's lock.
    signature: `find_expired(idle_since timestamptz, kept_importance integer, after_tenant uuid, after_memory uuid,
                             scan integer)`,
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, memory_id uuid, user_id text) LANGUAGE sql STABLE AS $$
        WITH scanned AS MATERIALIZED (
          SELECT m.tenant_id, m.id, m.user_id, m.superseded_by,
                 m.state <> 'soft_deleted' AND NOT m.pinned AND m.importance < kept_importance
                   AND m.updated_at < idle_since AS is_idle
            FROM annals.memories m WHERE (m.tenant_id, m.id) > (after_tenant, after_memory)
           ORDER BY m.tenant_id, m.id LIMIT scan)
        SELECT s.tenant_id, s.id, s.user_id FROM scanned s
         WHERE s.is_idle
           AND NOT EXISTS (SELECT FROM annals.memory_access a
                            WHERE a.tenant_id = s.tenant_id AND a.memory_id = s.id AND a.last_accessed_at >= idle_since)
           AND NOT EXISTS (SELECT FROM annals.memory_sources c
                            WHERE c.tenant_id = s.tenant_id AND c.memory_id = s.id AND c.said_at >= idle_since)
           AND NOT EXISTS (SELECT FROM annals.memories n
                            WHERE n.tenant_id = s.tenant_id AND n.id = s.superseded_by AND n.state <> 'soft_deleted')
        UNION ALL
        (SELECT s.tenant_id, s.id, NULL FROM scanned s ORDER BY s.tenant_id DESC, s.id DESC LIMIT 1)
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: `find_purgeable(at timestamptz, after_at timestamptz, after_tenant uuid, after_memory uuid,
                               max_rows integer)`,
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, user_id text, memory_id uuid, purge_at timestamptz) LANGUAGE sql STABLE AS $$
        SELECT m.tenant_id, m.user_id, m.id, m.purge_at FROM annals.memories m
         WHERE m.purge_at <= at AND (m.purge_at, m.tenant_id, m.id) > (after_at, after_tenant, after_memory)
         ORDER BY m.purge_at, m.tenant_id, m.id LIMIT max_rows
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // Services may not delete memories: this does, of the session's tenant, and only what is due. What a user deleted
    // stays unsaid: its turns are hidden before nothing tells any more that they were its sources.
    signature: 'purge_memories(ids uuid[], at timestamptz)',
    body: /* sql */ `
      RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := nullif(current_setting('annals.tenant', true), '')::uuid;
        due integer;
      BEGIN
        SELECT count(*) INTO due FROM annals.memories m
         WHERE m.tenant_id = own AND m.id = ANY (ids) AND m.state = 'soft_deleted' AND m.purge_at <= at;
        IF due <> cardinality(ids) THEN RAISE 'Only memories that are due can be purged.'; END IF;
        UPDATE annals.messages t SET hidden_at = at
          FROM annals.memory_sources s JOIN annals.memories m ON m.tenant_id = s.tenant_id AND m.id = s.memory_id
         WHERE s.tenant_id = own AND s.memory_id = ANY (ids) AND (m.deleted_by = 'user' OR m.deleted_by = 'undo' AND NOT EXISTS (
                 SELECT FROM annals.memory_sources o
                   JOIN annals.memories k ON k.tenant_id = o.tenant_id AND k.id = o.memory_id
                  WHERE o.tenant_id = own AND o.message_id = s.message_id AND k.state = 'active'))
           AND t.tenant_id = own AND t.id = s.message_id AND t.hidden_at IS NULL;
        -- The model's answers that they came from said the same: those of which a source tells, and those of which only
        -- the history does, since no evidence held. Nobody needs an answer whose batch is done.
        UPDATE annals.extractions x SET answer = NULL, items = '[]'
         WHERE x.tenant_id = own
           AND x.batch_id IN (SELECT s.batch_id FROM annals.memory_sources s
                               WHERE s.tenant_id = own AND s.memory_id = ANY (ids)
                              UNION
                              SELECT h.batch_id FROM annals.history h
                               WHERE h.tenant_id = own AND h.memory_id = ANY (ids) AND h.event IN ('ADD', 'QUARANTINE'))
           AND EXISTS (SELECT FROM annals.batches b
                        WHERE b.tenant_id = own AND b.id = x.batch_id AND b.state = 'done');
        UPDATE annals.history h SET content = NULL, salt = NULL WHERE h.tenant_id = own AND h.memory_id = ANY (ids);
        DELETE FROM annals.memory_access a WHERE a.tenant_id = own AND a.memory_id = ANY (ids);
        DELETE FROM annals.relations r WHERE r.tenant_id = own AND r.from_id = ANY (ids);
        DELETE FROM annals.relations r WHERE r.tenant_id = own AND r.to_id = ANY (ids);
        DELETE FROM annals.memory_embeddings e WHERE e.tenant_id = own AND e.memory_id = ANY (ids);
        DELETE FROM annals.memory_sources s WHERE s.tenant_id = own AND s.memory_id = ANY (ids);
        DELETE FROM annals.memories m WHERE m.tenant_id = own AND m.id = ANY (ids);
      END $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // How many went: fewer than were asked for when nothing is left. Passes by what an erasure is deleting, so that the
    // two never wait for each other.
    signature: 'purge_events(before timestamptz, max_rows integer)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH old AS MATERIALIZED (
          SELECT e.tenant_id, e.id FROM annals.events e WHERE e.ts < before ORDER BY e.ts LIMIT max_rows
             FOR UPDATE SKIP LOCKED),
        gone AS (
          DELETE FROM annals.events e USING old o WHERE e.tenant_id = o.tenant_id AND e.id = o.id RETURNING 1)
        SELECT count(*)::integer FROM gone
      $$ ${FEW_OF_MANY_ROWS}`,
  },
];
