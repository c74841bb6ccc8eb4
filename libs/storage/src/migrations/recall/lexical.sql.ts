import { TENANT } from '../sql/tenant-column.sql.js';
import { FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';
import type { RecallPart } from './recall-part.js';

const TABLES = /* sql */ `
ALTER TABLE annals.users
  -- Numbers of the index's units are taken from it under the row's lock.
  ADD COLUMN next_unit integer NOT NULL DEFAULT 0,
  -- Collection statistics of turns, beside memory_count and term_total.
  ADD COLUMN turn_count integer NOT NULL DEFAULT 0,
  ADD COLUMN turn_length bigint NOT NULL DEFAULT 0,
  -- Version of the analyser that made the index: 0 for who was here before there was one, null while nothing is indexed.
  ADD COLUMN analyzer smallint DEFAULT 0;
ALTER TABLE annals.users ALTER COLUMN analyzer DROP DEFAULT;
CREATE INDEX users_by_analyzer ON annals.users (analyzer, tenant_id, user_id) WHERE analyzer IS NOT NULL;

ALTER TABLE annals.batches ADD COLUMN indexed_at timestamptz;
CREATE INDEX batches_unindexed ON annals.batches (tenant_id, user_id, id) WHERE indexed_at IS NULL;

-- A turn that is not to be recalled any more, though its message is kept.
ALTER TABLE annals.messages ADD COLUMN hidden_at timestamptz;

-- What can be found by words. No foreign keys: they would be checked for every unit of a batch, and what deletes a memory
-- or a message takes its unit along.
CREATE TABLE annals.lexical_units (
  ${TENANT},
  user_id text NOT NULL,
  unit integer NOT NULL,
  memory_id uuid,
  message_id uuid,
  length integer NOT NULL,
  PRIMARY KEY (tenant_id, user_id, unit) INCLUDE (memory_id, message_id),
  CONSTRAINT lexical_units_one_kind_check CHECK (num_nonnulls(memory_id, message_id) = 1)
);
CREATE UNIQUE INDEX lexical_units_by_memory ON annals.lexical_units (tenant_id, memory_id) WHERE memory_id IS NOT NULL;
CREATE UNIQUE INDEX lexical_units_by_message ON annals.lexical_units (tenant_id, message_id)
  WHERE message_id IS NOT NULL;

-- Postings: PostgreSQL uses no GIN index for @@ under a policy
-- (docs/reference/isolation.md#postings-instead-of-a-gin-index). A segment is what one transaction wrote under a term,
-- in entries of 8 bytes, and lies in the key's index, so that a question reads the index alone.
CREATE TABLE annals.lexical_postings (
  ${TENANT},
  user_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('memory', 'turn')),
  term text NOT NULL,
  segment integer NOT NULL,
  entries bytea NOT NULL,
  PRIMARY KEY (tenant_id, user_id, kind, term, segment) INCLUDE (entries)
);
-- Compressed, an entry would be unpacked for every question.
ALTER TABLE annals.lexical_postings ALTER COLUMN entries SET STORAGE PLAIN;
-- A page that was not vacuumed since it was written is looked up in the table after all.
ALTER TABLE annals.lexical_postings
  SET (autovacuum_vacuum_insert_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE annals.lexical_units
  SET (autovacuum_vacuum_insert_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.02);

DROP TABLE annals.memory_terms;
`;

export const LEXICAL: RecallPart = {
  tables: TABLES,
  appPrivileges: {
    lexical_units: 'SELECT, INSERT, DELETE',
    lexical_postings: 'SELECT, INSERT, UPDATE, DELETE',
  },
  definerPrivileges: { users: 'SELECT (user_id, analyzer)' },
  functions: [
    {
      // Whole users first: what is made anew for them covers their batches.
      signature: 'find_unindexed(version smallint, sealed_before timestamptz, max_rows integer)',
      body: /* sql */ `
        RETURNS TABLE (tenant_id uuid, user_id text, batch_id uuid) LANGUAGE sql STABLE AS $$
          (SELECT u.tenant_id, u.user_id, NULL::uuid FROM annals.users u
            WHERE u.analyzer < version ORDER BY u.analyzer, u.tenant_id, u.user_id LIMIT max_rows)
          UNION ALL
          (SELECT b.tenant_id, b.user_id, b.id
             FROM annals.batches b JOIN annals.users u ON u.tenant_id = b.tenant_id AND u.user_id = b.user_id
            WHERE b.indexed_at IS NULL AND b.sealed_at <= sealed_before AND NOT coalesce(u.analyzer < version, false)
            ORDER BY b.tenant_id, b.user_id, b.id LIMIT max_rows)
          LIMIT max_rows
        $$ ${FEW_OF_MANY_ROWS}`,
    },
  ],
};
