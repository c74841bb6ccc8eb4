import { MAX_INDEXED_VECTOR_BYTES } from '../../vectors/index.js';
import { FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';
import type { RecallPart } from './recall-part.js';

const FITS_KEY = `2 * vector_dims(embedding) + octet_length(user_id) + octet_length(model) <= ${MAX_INDEXED_VECTOR_BYTES}`;
const AT_UNIT_LENGTH = 'l2_normalize(embedding)::halfvec';

/** One rewrite of the table turns what is there into half precision (decision 0019). */
const TABLES = /* sql */ `
DO $$
BEGIN
  IF to_regtype('halfvec') IS NULL THEN
    RAISE EXCEPTION 'The vector extension of this database is older than 0.7.'
      USING HINT = 'Install pgvector 0.7 or newer and run ALTER EXTENSION vector UPDATE in this database.';
  END IF;
END $$;
ALTER TABLE annals.memory_embeddings DROP CONSTRAINT memory_embeddings_pkey, ADD COLUMN wide halfvec;
-- PLAIN: what is stored out of line is in no index, and makes scans slower
-- (docs/reference/performance-targets.md#t7-exact-search-by-default).
ALTER TABLE annals.memory_embeddings
  ALTER COLUMN embedding DROP NOT NULL,
  ALTER COLUMN embedding TYPE halfvec USING CASE WHEN ${FITS_KEY} THEN ${AT_UNIT_LENGTH} END,
  ALTER COLUMN wide TYPE halfvec USING CASE WHEN NOT (${FITS_KEY}) THEN ${AT_UNIT_LENGTH} END,
  ALTER COLUMN embedding SET STORAGE PLAIN,
  ALTER COLUMN wide SET STORAGE PLAIN,
  -- A page that was not vacuumed since it was written is looked up in the table after all.
  SET (autovacuum_vacuum_insert_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE annals.memory_embeddings RENAME COLUMN embedding TO narrow;
ALTER TABLE annals.memory_embeddings
  ADD PRIMARY KEY (tenant_id, memory_id, model),
  ADD CONSTRAINT memory_embeddings_one_vector_check CHECK (num_nonnulls(narrow, wide) = 1);
DROP INDEX annals.memory_embeddings_by_memory;
-- One user's vectors side by side: a search reads this index alone. Rows of one key fill its pages in the order they come,
-- where a key that rises within the user would leave every page half empty.
CREATE INDEX memory_embeddings_by_user ON annals.memory_embeddings (tenant_id, user_id, model)
  INCLUDE (memory_id, narrow);
`;

export const VECTORS: RecallPart = {
  tables: TABLES,
  appPrivileges: {},
  definerPrivileges: { memories: 'SELECT (id, user_id, state)', memory_embeddings: 'SELECT (memory_id, model)' },
  functions: [
    {
      // Reads on along the key, as find_expired does. The row without a user says how far that was.
      signature: 'find_without_vector(of_model text, after_tenant uuid, after_memory uuid, scan integer)',
      body: /* sql */ `
        RETURNS TABLE (tenant_id uuid, memory_id uuid, user_id text) LANGUAGE sql STABLE AS $$
          WITH scanned AS MATERIALIZED (
            SELECT m.tenant_id, m.id, m.user_id, m.state FROM annals.memories m
             WHERE (m.tenant_id, m.id) > (after_tenant, after_memory) ORDER BY m.tenant_id, m.id LIMIT scan)
          SELECT s.tenant_id, s.id, s.user_id FROM scanned s
           WHERE s.state = 'active'
             AND NOT EXISTS (SELECT FROM annals.memory_embeddings e
                              WHERE e.tenant_id = s.tenant_id AND e.memory_id = s.id AND e.model = of_model)
          UNION ALL
          (SELECT s.tenant_id, s.id, NULL FROM scanned s ORDER BY s.tenant_id DESC, s.id DESC LIMIT 1)
        $$ ${FEW_OF_MANY_ROWS}`,
    },
  ],
};
