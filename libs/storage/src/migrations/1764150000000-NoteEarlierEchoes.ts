import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createFunctions, type DefinerFunction, FEW_OF_MANY_ROWS } from './sql/definer-functions.sql.js';
import { lockTables } from './sql/lock-tables.sql.js';

const COLUMN_SQL = /* sql */ `
-- Of who has an index and echoes that are still to be noted: up to which memory they were. Null: none was yet.
ALTER TABLE annals.users ADD COLUMN echoes_after uuid`;

/** Who comes first of the users `u`, in the order of the index `users_by_analyzer`. */
const FIRST_SQL = /* sql */ `u.analyzer < below_version
              AND NOT EXISTS (SELECT FROM unnest(skipped_tenants, skipped_users) AS s (tenant_id, user_id)
                               WHERE s.tenant_id = u.tenant_id AND s.user_id = u.user_id)
            ORDER BY u.analyzer, u.tenant_id, u.user_id LIMIT 1`;

const FIND_ECHOES_DUE: DefinerFunction = {
  // One user of each tenant, so that a tenant with many users does not keep the others waiting.
  signature:
    'find_echoes_due(after_version smallint, after_tenant uuid, below_version smallint, skipped_tenants uuid[], skipped_users text[], max_rows integer)',
  body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, user_id text, analyzer smallint) LANGUAGE sql STABLE AS $$
        WITH RECURSIVE due AS (
          (SELECT u.tenant_id, u.user_id, u.analyzer, 1 AS place FROM annals.users u
            WHERE (u.analyzer, u.tenant_id) > (after_version, after_tenant) AND ${FIRST_SQL})
          UNION ALL
          SELECT n.* FROM due d CROSS JOIN LATERAL (
            SELECT u.tenant_id, u.user_id, u.analyzer, d.place + 1 FROM annals.users u
             WHERE (u.analyzer, u.tenant_id) > (d.analyzer, d.tenant_id) AND ${FIRST_SQL}) n
           WHERE d.place < max_rows)
        SELECT d.tenant_id, d.user_id, d.analyzer FROM due d ORDER BY d.place
      $$ ${FEW_OF_MANY_ROWS}`,
};

const COUNT_VECTORS: DefinerFunction = {
  // For the doctor. Counts each active memory once: under the given model if it has a vector of that, else under another
  // one that it has a vector of, else under none.
  signature: 'count_vectors(of_model text)',
  body: /* sql */ `
      RETURNS TABLE (model text, memories bigint) LANGUAGE sql STABLE AS $$
        WITH counted AS (
          SELECT coalesce(max(e.model) FILTER (WHERE e.model = of_model), max(e.model)) AS model
            FROM annals.memories m
            LEFT JOIN annals.memory_embeddings e ON e.tenant_id = m.tenant_id AND e.memory_id = m.id
           WHERE m.state = 'active' GROUP BY m.tenant_id, m.id)
        SELECT c.model, count(*) FROM counted c GROUP BY c.model ORDER BY c.model
      $$ SET jit = off`,
};

/** Echoes of what was over before they were noted are found in the background, page by page; and vectors can be counted. */
export class NoteEarlierEchoes1764150000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockTables(['users']));
    await runner.query(COLUMN_SQL);
    await runner.query(createFunctions([FIND_ECHOES_DUE, COUNT_VECTORS]));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}
