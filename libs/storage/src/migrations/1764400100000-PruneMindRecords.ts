import type { MigrationInterface, QueryRunner } from 'typeorm';
import { OWN } from './recall/erasure-functions.sql.js';
import { createFunctions, type DefinerFunction, FEW_OF_MANY_ROWS } from './sql/definer-functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';
import { grantToDefiner } from './sql/tenant-policies.sql.js';

const IS_OVER = (run: string) => `${run}.state IN ('done', 'unchanged', 'failed', 'undone')`;

const TABLES_SQL = /* sql */ `
-- What later runs must know of runs whose records are gone: when importance was last changed by one, and with which
-- memories this one was merged until that was undone. Filled when the records go; read beside them until then.
ALTER TABLE annals.memories ADD COLUMN reranked_at timestamptz, ADD COLUMN kept_apart uuid[];
CREATE INDEX mind_runs_by_end ON annals.mind_runs (ended_at, tenant_id, id) WHERE ${IS_OVER('mind_runs')};
CREATE INDEX consolidation_fingerprints_by_expiry ON annals.consolidation_fingerprints (expires_at);
CREATE INDEX energy_usage_by_day ON annals.energy_usage (day);
-- For the erasure of a user.
CREATE INDEX insight_grounds_by_user ON annals.insight_grounds (tenant_id, user_id)`;

/** Superseded insights expire like current ones; what was before, of superseded memories. */
const FIND_EXPIRED: DefinerFunction = {
  signature: `find_expired(idle_since timestamptz, kept_importance integer, after_tenant uuid, after_memory uuid,
                           scan integer)`,
  body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, memory_id uuid, user_id text) LANGUAGE sql STABLE AS $$
        WITH scanned AS MATERIALIZED (
          SELECT m.tenant_id, m.id, m.user_id, CASE WHEN m.type <> 'insight' THEN m.superseded_by END AS retained_by,
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
                            WHERE n.tenant_id = s.tenant_id AND n.id = s.retained_by AND n.state <> 'soft_deleted')
        UNION ALL
        (SELECT s.tenant_id, s.id, NULL FROM scanned s ORDER BY s.tenant_id DESC, s.id DESC LIMIT 1)
      $$ ${FEW_OF_MANY_ROWS}`,
};

const FUNCTIONS: readonly DefinerFunction[] = [
  FIND_EXPIRED,
  {
    signature:
      'find_ended_mind_runs(before timestamptz, after_end timestamptz, after_tenant uuid, after_run uuid, max_rows integer)',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, user_id text, run_id uuid, ended_at timestamptz) LANGUAGE sql STABLE AS $$
        SELECT r.tenant_id, r.user_id, r.id, r.ended_at FROM annals.mind_runs r
         WHERE ${IS_OVER('r')} AND r.ended_at < before
           AND (r.ended_at, r.tenant_id, r.id) > (after_end, after_tenant, after_run)
         ORDER BY r.ended_at, r.tenant_id, r.id LIMIT max_rows
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // Of the session's tenant, and only what is over and old. How many runs went.
    signature: 'prune_mind_runs(ids uuid[], before timestamptz)',
    body: /* sql */ `
      RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
        due uuid[];
      BEGIN
        SELECT coalesce(array_agg(o.id), '{}') INTO due FROM (
          SELECT r.id FROM annals.mind_runs r
           WHERE r.tenant_id = own AND r.id = ANY (ids) AND ${IS_OVER('r')} AND r.ended_at < before
           ORDER BY r.id FOR UPDATE) o;
        UPDATE annals.memories m SET reranked_at = greatest(m.reranked_at, c.at)
          FROM (SELECT k.memory_ids[1] AS memory_id, max(k.changed_at) AS at FROM annals.mind_run_changes k
                 WHERE k.tenant_id = own AND k.run_id = ANY (due)
                   AND k.change = 'rerank' AND k.state IN ('written', 'undone', 'left')
                 GROUP BY k.memory_ids[1]) c
         WHERE m.tenant_id = own AND m.id = c.memory_id;
        UPDATE annals.memories m SET kept_apart = m.kept_apart || c.others
          FROM (SELECT k.memory_ids[1] AS memory_id, array_agg(k.memory_ids[2]) AS others FROM annals.mind_run_changes k
                 WHERE k.tenant_id = own AND k.run_id = ANY (due) AND k.change = 'merge' AND k.state = 'undone'
                 GROUP BY k.memory_ids[1]) c
         WHERE m.tenant_id = own AND m.id = c.memory_id;
        DELETE FROM annals.mind_run_changes k WHERE k.tenant_id = own AND k.run_id = ANY (due);
        DELETE FROM annals.mind_runs r WHERE r.tenant_id = own AND r.id = ANY (due);
        RETURN cardinality(due);
      END $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // As purge_events: how many went, passing by what an erasure is deleting.
    signature: 'purge_fingerprints(at timestamptz, max_rows integer)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH old AS MATERIALIZED (
          SELECT f.tenant_id, f.user_id, f.fingerprint FROM annals.consolidation_fingerprints f
           WHERE f.expires_at <= at ORDER BY f.expires_at LIMIT max_rows FOR UPDATE SKIP LOCKED),
        gone AS (
          DELETE FROM annals.consolidation_fingerprints f USING old o
           WHERE f.tenant_id = o.tenant_id AND f.user_id = o.user_id AND f.fingerprint = o.fingerprint RETURNING 1)
        SELECT count(*)::integer FROM gone
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'purge_energy_usage(before date, max_rows integer)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH old AS MATERIALIZED (
          SELECT u.tenant_id, u.day, u.kind FROM annals.energy_usage u
           WHERE u.day < before ORDER BY u.day LIMIT max_rows FOR UPDATE SKIP LOCKED),
        gone AS (
          DELETE FROM annals.energy_usage u USING old o
           WHERE u.tenant_id = o.tenant_id AND u.day = o.day AND u.kind = o.kind RETURNING 1)
        SELECT count(*)::integer FROM gone
      $$ ${FEW_OF_MANY_ROWS}`,
  },
];

/** FOR UPDATE asks for the privilege on one column. */
const DEFINER_PRIVILEGES = {
  mind_runs: 'SELECT (id, state, ended_at), UPDATE (state)',
  mind_run_changes: 'SELECT (run_id, change, state, memory_ids, changed_at)',
  memories: 'SELECT (id, type, reranked_at, kept_apart), UPDATE (reranked_at, kept_apart)',
  consolidation_fingerprints: 'SELECT (fingerprint, expires_at), UPDATE (expires_at)',
  energy_usage: 'SELECT (day, kind), UPDATE (calls)',
};

/** Records of minds whose time is over can be deleted (docs/reference/minds.md#retention-of-runs). */
export class PruneMindRecords1764400100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      lockTables(['memories', 'insight_grounds', 'consolidation_fingerprints', 'energy_usage', 'mind_runs']),
    );
    await runner.query(TABLES_SQL);
    for (const statement of grantToDefiner(DEFINER_PRIVILEGES)) await runner.query(statement);
    await runner.query('DROP FUNCTION annals.find_expired');
    await runner.query(createFunctions(FUNCTIONS));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
